/* SPDX-License-Identifier: Apache-2.0 */
/* ports.h: the ports of line_home by name, for its model and its environment. */
#ifndef LINE_HOME_PORTS_H
#define LINE_HOME_PORTS_H

#include "core/ports.h"

#define LH_PORTS(PORT) PORT(rst, rst_i) PORT(fetch_valid, fetch_valid_i) PORT(fetch_ready, fetch_ready_o) PORT(fetch_line, fetch_line_i) \
  PORT(fetch_tag, fetch_tag_i) PORT(home_valid, home_valid_o) PORT(home_ready, home_ready_i) PORT(home_snoop, home_snoop_o) \
  PORT(home_tag, home_tag_o) PORT(home_error, home_error_o) PORT(home_line, home_line_o) PORT(home_data, home_data_o) \
  PORT(rel_valid, rel_valid_i) PORT(rel_ready, rel_ready_o) PORT(rel_line, rel_line_i) PORT(rel_dirty, rel_dirty_i) \
  PORT(rel_last, rel_last_i) PORT(rel_data, rel_data_i) PORT(bad_count, bad_count_o) PORT(bad_line, bad_line_o) \
  PORT(lost_count, lost_count_o) PORT(lost_line, lost_line_o) PORT(idle, idle_o)
SIMT_PORTS(lh_ports, LH_PORTS)

#endif

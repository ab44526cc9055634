/* SPDX-License-Identifier: Apache-2.0 */
/* ports.h: the ports that model and environment of the example block use. */
#ifndef RR_PORTS_H
#define RR_PORTS_H

#include "core/ports.h"

#define RR_PORTS(PORT) \
  PORT(rst, rst_i) PORT(req, req_i) PORT(valid, grant_valid_o) PORT(grant, grant_o) PORT(count, count_o)
SIMT_PORTS(rr_ports, RR_PORTS)

#endif

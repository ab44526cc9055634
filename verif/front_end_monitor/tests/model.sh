# SPDX-License-Identifier: Apache-2.0
# For the tests of this folder: the model, or an edited copy of it, without RTL; directed and random, one by one and together.
# shellcheck shell=bash disable=SC2034
. verif/tests/lib.sh
EDIT=-E block=front_end_monitor PLANTED_SECONDS=60
runs=("1000000 1 directed COMMANDS=unit UNITS=4"
      "1000000 1 directed COMMANDS=unit UNITS=4 STATS=exact"
      "1000000 1 directed COMMANDS=unit UNITS=6 GROUP=2"
      "60000 1 random COMMANDS=broadcast UNITS=3"
      "60000 2 random COMMANDS=unit UNITS=6 GROUP=2 DOMAINS=2"
      "1000000 1 directed COMMANDS=broadcast UNITS=3"
      "1000000 1 directed COMMANDS=unit UNITS=3 TIME_W=8")

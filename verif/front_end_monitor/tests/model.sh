# SPDX-License-Identifier: Apache-2.0
# For the tests of this folder: the model, or an edited copy of it, without RTL.
# shellcheck shell=bash
block=front_end_monitor
. verif/tests/model_lib.sh
runs() { # PROGRAM: directed and random, one by one and together, until something is found
  timeout 60 "$1" 1000000 1 directed COMMANDS=unit UNITS=4 &&
    timeout 60 "$1" 1000000 1 directed COMMANDS=unit UNITS=4 STATS=exact &&
    timeout 60 "$1" 1000000 1 directed COMMANDS=unit UNITS=6 GROUP=2 &&
    timeout 60 "$1" 60000 1 random COMMANDS=broadcast UNITS=3 &&
    timeout 60 "$1" 60000 2 random COMMANDS=unit UNITS=6 GROUP=2 DOMAINS=2 &&
    timeout 60 "$1" 1000000 1 directed COMMANDS=broadcast UNITS=3 &&
    timeout 60 "$1" 1000000 1 directed COMMANDS=unit UNITS=3 TIME_W=8
}

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# The transaction level of the C library, under the sanitizers, from C and from C++.
set -- stack_cache
. verif/tests/api_lib.sh
api_tests memcmp
exit $failed

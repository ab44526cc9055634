#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# The transaction level of the C library, under the sanitizers, from C and from C++.
set -- stack_cache
. verif/tests/api_lib.sh
api_tests memcmp
api_planted "a value that is not cut to its width" 's/if (rest) s->t.in/if (0) s->t.in/' "random"
api_planted "a memory of whole sets behind a port of entries" 's/"MEM_BEATS") > 1/"MEM_BEATS") > 99/' "refused"
exit $failed

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# rotate: 3
# The transaction level of the C library, under the sanitizers, from C and from C++.
set -- stack_cache
. verif/tests/api_lib.sh
api_tests memcmp
api_planted "a value of another width that is taken" 's/!simt_words_fit(value, entry_words(s), s->l.entry_w)/false/' "one past"
api_planted "64 bits that are cut" 's/!simt_fits(value, s->l.entry_w)/false/' "one past"
api_planted "64 bits of a wider entry" 's/s->l.entry_w > 64/false/' "one past"
api_planted "a memory of whole sets behind a port of entries" 's/"MEM_BEATS") > 1/"MEM_BEATS") > 99/' "refused"
exit $failed

/* SPDX-License-Identifier: Apache-2.0 */
/* image.h: the image of a model, one form for all blocks: a header {block, configuration, size, version, checksum}, then the
 * parts of the state, each aligned. Not installed: users call `save` and `load` of a model's operations.
 *
 * A block lists the parts of its state once (simt_model_ops.parts); simt_save and simt_load, which every block names as its
 * `save` and `load`, walk that list. Everything that decides what a later cycle does is in a part; pointers and places in
 * buffers, which creation sets, are in none. A model begins with `const struct simt_config *cfg`, the one that it was created of. */
#ifndef SIMT_IMAGE_H
#define SIMT_IMAGE_H

#include "core/simt.h"
#include "core/unit_shell.h"

/* For a block's `parts`. */
void simt_image_part(struct simt_image *image, void *at, size_t size);
/* A struct that holds a unit's shell: all of it but the shell's constants. */
void simt_image_part_with_shell(struct simt_image *image, void *at, size_t size, struct simt_unit_shell *shell);
/* Something is kept that follows from the state: false behind a load. */
void simt_image_forget(struct simt_image *image, bool *kept);

size_t simt_save(const void *model, void *to, size_t room);
bool simt_load(void *model, const void *from, size_t size);

#endif

// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Changes messages of Cap'n Proto at random, whatever their schema.

#ifndef NNCERT_FUZZING_TREE_MUTATOR_H_
#define NNCERT_FUZZING_TREE_MUTATOR_H_

#include "fuzzing/byte_mutation.h"
#include "fuzzing/message_tree.h"
#include "random/split_mix.h"

namespace nncert {

/// Changes one value of the message `root` is the root of: a number, a text, the length of a list,
/// the elements of one, a capability, the size of a struct; or replaces it by nothing or by another
/// value of the same message. What comes out can be written. `mutate_bytes` changes plain bytes.
void MutateTree(MessageNode& root, SplitMix64& random, const ByteMutation& mutate_bytes);

}  // namespace nncert

#endif  // NNCERT_FUZZING_TREE_MUTATOR_H_

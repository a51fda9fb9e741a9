/// Targets, and whether a run reached them.
@NullMarked
package dev.oriel.bench.targets;

import org.jspecify.annotations.NullMarked;

/// What we want to reach, and whether a run reached it.
@NullMarked
package dev.oriel.bench.targets;

import org.jspecify.annotations.NullMarked;

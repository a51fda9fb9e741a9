/// Conditions of Gremlin as ranges of indexes ([IndexChoice]), what is added while these are read, and what ends a run
/// that takes too long.
@NullMarked
package dev.oriel.graph.range;

import org.jspecify.annotations.NullMarked;

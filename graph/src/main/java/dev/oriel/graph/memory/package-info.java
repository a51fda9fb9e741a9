/// Collections of primitives that keep to a [Budget] of memory.
@NullMarked
package dev.oriel.graph.memory;

import org.jspecify.annotations.NullMarked;

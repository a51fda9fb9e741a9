/// Collections of primitives that keep to a [Budget] of memory, and one of what others hold.
@NullMarked
package dev.oriel.graph.memory;

import org.jspecify.annotations.NullMarked;

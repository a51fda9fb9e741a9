/// Collections of primitives within a memory [Budget], and a list of weak references.
@NullMarked
package dev.oriel.graph.memory;

import org.jspecify.annotations.NullMarked;

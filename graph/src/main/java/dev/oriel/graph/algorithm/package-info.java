/// Algorithms over a whole graph or the surroundings of a vertex ([GraphAlgorithms]), from Java and from Gremlin.
@NullMarked
package dev.oriel.graph.algorithm;

import org.jspecify.annotations.NullMarked;

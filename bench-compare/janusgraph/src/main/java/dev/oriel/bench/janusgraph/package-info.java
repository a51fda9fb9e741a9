/// A peer of the graph benchmarks, in a JVM of its own.
@NullMarked
package dev.oriel.bench.janusgraph;

import org.jspecify.annotations.NullMarked;

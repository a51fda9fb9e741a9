/// The cost of calls and statements with a profiler in the JVM, ours or another.
@NullMarked
package dev.oriel.bench.profiler;

import org.jspecify.annotations.NullMarked;

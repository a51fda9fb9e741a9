/// What a loop of calls and statements cost with a profiler in them, ours or another.
@NullMarked
package dev.oriel.bench.profiler;

import org.jspecify.annotations.NullMarked;

/// What measures: clocks, processor time, allocation, percentiles, memory, files, sums of what was read.
@NullMarked
package dev.oriel.bench.measure;

import org.jspecify.annotations.NullMarked;

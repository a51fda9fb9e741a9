/// Measures: clocks, processor time, allocation, percentiles, memory, files, checksums of the values read.
@NullMarked
package dev.oriel.bench.measure;

import org.jspecify.annotations.NullMarked;

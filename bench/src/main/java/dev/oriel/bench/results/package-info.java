/// What was measured: the rounds of a run, its file, what two runs or two subjects come to beside each other.
@NullMarked
package dev.oriel.bench.results;

import org.jspecify.annotations.NullMarked;

/// Results: the rounds of a run, its file, and comparisons of two runs or two subjects.
@NullMarked
package dev.oriel.bench.results;

import org.jspecify.annotations.NullMarked;

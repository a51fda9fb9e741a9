/// The runner of workloads: fresh JVMs, rounds, time budgets, the line of progress.
@NullMarked
package dev.oriel.bench.run;

import org.jspecify.annotations.NullMarked;

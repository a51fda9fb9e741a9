/// What runs workloads: fresh JVMs, rounds, the time that each gets, the line of progress.
@NullMarked
package dev.oriel.bench.run;

import org.jspecify.annotations.NullMarked;

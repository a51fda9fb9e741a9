/// The first query of a fresh JVM.
@NullMarked
package dev.oriel.bench.cold;

import org.jspecify.annotations.NullMarked;

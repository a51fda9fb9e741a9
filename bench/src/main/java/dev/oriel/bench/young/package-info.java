/// The first second of a fresh JVM.
@NullMarked
package dev.oriel.bench.young;

import org.jspecify.annotations.NullMarked;

/// Transactions over rows, a graph and entries, and ordered maps.
@NullMarked
package dev.oriel.bench.faces;

import org.jspecify.annotations.NullMarked;

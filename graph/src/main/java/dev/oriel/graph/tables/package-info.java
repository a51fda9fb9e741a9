/// Ordinary tables as a graph: [RowGraph], its elements and its transactions.
@NullMarked
package dev.oriel.graph.tables;

import org.jspecify.annotations.NullMarked;

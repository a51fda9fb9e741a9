/// The catalog of a graph: property keys, labels, their tables and rules ([GraphCatalog]), and the layout of an
/// element's properties in its row ([Columns]).
@NullMarked
package dev.oriel.graph.catalog;

import org.jspecify.annotations.NullMarked;

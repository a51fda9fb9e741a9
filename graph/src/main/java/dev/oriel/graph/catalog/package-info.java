/// The names of a graph and what they mean: property keys, labels, their tables and rules ([GraphCatalog]), and
/// where the properties of an element lie in its row ([Columns]).
@NullMarked
package dev.oriel.graph.catalog;

import org.jspecify.annotations.NullMarked;

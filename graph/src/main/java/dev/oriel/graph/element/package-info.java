/// Vertices, edges and properties as names for rows: how they are read in batches ([RangeReads]) and written, in
/// one transaction ([GraphTransaction]).
@NullMarked
package dev.oriel.graph.element;

import org.jspecify.annotations.NullMarked;

/// Declarations of property keys, labels and indexes ([OrielSchema]), and their execution.
@NullMarked
package dev.oriel.graph.schema;

import org.jspecify.annotations.NullMarked;

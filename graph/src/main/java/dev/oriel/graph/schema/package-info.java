/// Declarations of property keys, labels and indexes ([OrielSchema]), and what carries them out.
@NullMarked
package dev.oriel.graph.schema;

import org.jspecify.annotations.NullMarked;

/// What values of properties are, as Java and as bytes: [DataType], [ValueCodec].
@NullMarked
package dev.oriel.graph.value;

import org.jspecify.annotations.NullMarked;

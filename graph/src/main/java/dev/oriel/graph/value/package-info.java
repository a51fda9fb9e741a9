/// Values of properties, as Java objects and as bytes: [DataType], [ValueCodec].
@NullMarked
package dev.oriel.graph.value;

import org.jspecify.annotations.NullMarked;

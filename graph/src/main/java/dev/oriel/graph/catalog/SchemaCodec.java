package dev.oriel.graph.catalog;

import dev.oriel.graph.value.Bytes;
import dev.oriel.graph.value.DataType;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.jspecify.annotations.Nullable;

/// Property keys as bytes: `u8 type + 1, u8 cardinality + 1`; 0 means undeclared.
final class SchemaCodec {
    private static final DataType[] TYPES = DataType.values();
    private static final Cardinality[] CARDINALITIES = Cardinality.values();

    private SchemaCodec() {}

    @SuppressWarnings("EnumOrdinal") // the order of the types is part of the format
    static void put(PropertyKey key, Bytes out) {
        DataType type = key.type();
        Cardinality cardinality = key.cardinality();
        out.put(type == null ? 0 : type.ordinal() + 1);
        out.put(cardinality == null ? 0 : cardinality.ordinal() + 1);
    }

    static PropertyKey key(int number, String name, Bytes in) {
        int typeCode = in.take();
        int cardinalityCode = in.take();
        @Nullable DataType type = typeCode == 0 ? null : TYPES[typeCode - 1];
        @Nullable Cardinality cardinality =
                cardinalityCode == 0 ? null : CARDINALITIES[cardinalityCode - 1];
        return new PropertyKey(number, name, type, cardinality);
    }
}

package dev.oriel.table.schema;

import dev.oriel.store.Slice;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.value.NativeBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Property graphs as bytes, as [CatalogCodec] describes them.
public final class GraphCodec {
    static final int KIND = 6;

    private GraphCodec() {}

    public static Slice encode(PropertyGraph graph) {
        NativeBuffer out = new NativeBuffer(512);
        out.putByte(CatalogCodec.VERSION);
        out.putByte(KIND);
        CatalogCodec.putName(out, graph.name());
        put(out, graph.vertices(), vertex -> putElement(out, vertex));
        put(
                out,
                graph.edges(),
                edge -> {
                    putElement(out, edge.element());
                    putEnd(out, edge.source());
                    putEnd(out, edge.target());
                });
        return out.slice(new Slice());
    }

    private static <T> void put(NativeBuffer out, List<T> all, Consumer<T> each) {
        out.putShort(all.size());
        all.forEach(each);
    }

    private static void putNames(NativeBuffer out, List<String> names) {
        put(out, names, name -> CatalogCodec.putName(out, name));
    }

    private static void putElement(NativeBuffer out, PropertyGraph.Element element) {
        CatalogCodec.putName(out, element.alias());
        CatalogCodec.putName(out, element.label());
        out.putLong(element.table());
        putNames(out, element.key());
        put(
                out,
                element.properties(),
                property -> {
                    CatalogCodec.putName(out, property.name());
                    CatalogCodec.putName(out, property.column());
                });
    }

    private static void putEnd(NativeBuffer out, PropertyGraph.End end) {
        CatalogCodec.putName(out, end.vertex());
        putNames(out, end.columns());
    }

    /// @param in positioned after the kind
    static PropertyGraph decode(long id, ByteBuffer in) {
        String name = CatalogCodec.name(in);
        List<PropertyGraph.Element> vertices = take(in, () -> element(in));
        List<PropertyGraph.EdgeTable> edges =
                take(in, () -> new PropertyGraph.EdgeTable(element(in), end(in), end(in)));
        return new PropertyGraph(id, name, vertices, edges);
    }

    private static <T> List<T> take(ByteBuffer in, Supplier<T> each) {
        int count = in.getShort() & 0xFFFF;
        List<T> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(each.get());
        }
        return all;
    }

    private static PropertyGraph.Element element(ByteBuffer in) {
        return new PropertyGraph.Element(
                CatalogCodec.name(in),
                CatalogCodec.name(in),
                in.getLong(),
                take(in, () -> CatalogCodec.name(in)),
                take(
                        in,
                        () ->
                                new PropertyGraph.Property(
                                        CatalogCodec.name(in), CatalogCodec.name(in))));
    }

    private static PropertyGraph.End end(ByteBuffer in) {
        return new PropertyGraph.End(CatalogCodec.name(in), take(in, () -> CatalogCodec.name(in)));
    }
}

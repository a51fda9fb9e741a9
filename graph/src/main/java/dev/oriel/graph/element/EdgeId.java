package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.value.Bytes;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// The generated id of an edge without a user's id: the text `label-source-target-number`, with numbers in base
/// 36.
///
/// Edges of a single-time label all have the number 0. If it has sort keys, several edges may have the same ends,
/// so the key values follow, each after a `-`. Numbers, booleans and times are in base 36, without a sign;
/// floating-point values as their bits; texts and bytes in base 16, texts as UTF-8.
final class EdgeId {
    private static final int RADIX = 36;
    private static final int NUMBERS = 4;

    private EdgeId() {}

    static String of(OrielEdge edge) {
        EdgeLabel label = edge.edgeLabel();
        StringBuilder id = new StringBuilder();
        id.append(Integer.toString(label.number(), RADIX)).append('-');
        id.append(Long.toString(edge.source(), RADIX)).append('-');
        id.append(Long.toString(edge.target(), RADIX)).append('-');
        id.append(Long.toString(edge.number(), RADIX));
        Tuple sort = edge.sort();
        if (hasSorts(label) && sort != null) {
            for (int i = 0; i < label.sortKeys().length; i++) {
                id.append('-').append(text(sort, i, shape(label, i)));
            }
        }
        return id.toString();
    }

    /// Whether the sort keys are needed to tell edges apart.
    private static boolean hasSorts(EdgeLabel label) {
        return label.single() && label.sortKeys().length > 0;
    }

    private static Type.Shape shape(EdgeLabel label, int sort) {
        return label.table().columns().get(label.sortKeys()[sort]).type().shape();
    }

    private static String text(Tuple sort, int at, Type.Shape shape) {
        return switch (shape) {
            case LONG -> Long.toUnsignedString(sort.longAt(at), RADIX);
            case DOUBLE -> Long.toUnsignedString(Double.doubleToLongBits(sort.doubleAt(at)), RADIX);
            case TEXT, FOLDED -> {
                String text = sort.textAt(at);
                yield hex(text == null ? null : Bytes.utf8(text));
            }
            case BYTES -> hex(sort.bytesAt(at));
            case DECIMAL -> throw new IllegalStateException("no property is a decimal");
        };
    }

    private static String hex(byte @Nullable [] bytes) {
        return bytes == null ? "" : HexFormat.of().formatHex(bytes);
    }

    /// The edge that `id` names, whether it exists or not; null if `id` is malformed. For a multi-time label with
    /// sort keys, the edge lacks their values.
    static @Nullable OrielEdge parse(StoredGraph graph, String id) {
        String[] parts = id.split("-", -1);
        if (parts.length < NUMBERS) {
            return null;
        }
        try {
            long[] numbers = new long[NUMBERS];
            for (int i = 0; i < NUMBERS; i++) {
                numbers[i] = Long.parseLong(parts[i], RADIX);
            }
            @Nullable EdgeLabel[] all = graph.catalog().edgeLabels().all();
            EdgeLabel label =
                    numbers[0] < 0 || numbers[0] >= all.length ? null : all[(int) numbers[0]];
            int sorts = label == null || !hasSorts(label) ? 0 : label.sortKeys().length;
            if (label == null || parts.length != NUMBERS + sorts) {
                return null;
            }
            Tuple sort = sorts == 0 ? null : new Tuple(sorts);
            for (int i = 0; i < sorts && sort != null; i++) {
                put(parts[NUMBERS + i], sort, i, shape(label, i));
            }
            return new OrielEdge(graph, label, numbers[1], numbers[2], numbers[3], sort);
        } catch (IllegalArgumentException e) { // no number, or no bytes
            return null;
        }
    }

    private static void put(String text, Tuple sort, int at, Type.Shape shape) {
        switch (shape) {
            case LONG -> sort.setLong(at, Long.parseUnsignedLong(text, RADIX));
            case DOUBLE ->
                    sort.setDouble(
                            at, Double.longBitsToDouble(Long.parseUnsignedLong(text, RADIX)));
            case TEXT, FOLDED ->
                    sort.setText(
                            at, new String(HexFormat.of().parseHex(text), StandardCharsets.UTF_8));
            case BYTES -> sort.setBytes(at, HexFormat.of().parseHex(text));
            case DECIMAL -> throw new IllegalStateException("no property is a decimal");
        }
    }
}

package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.value.Bytes;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// The id of an edge that has none of a user: the text `label-source-target-number`, numbers to the base 36.
///
/// Edges of a single-time label all have the number 0. Where it has sort keys, several of them may have the same
/// ends, so their values follow, each behind a `-`: numbers, truth values and moments to the base 36, without a
/// sign; of those with a fraction the bits; of texts the UTF-8 bytes, to the base 16, as other bytes.
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

    /// Whether the values of sort keys are needed to tell edges apart.
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
            case TEXT -> {
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

    /// The edge that `id` names, be it there or not; null where it is no such id. Of a label with sort keys that
    /// is multi-time it lacks their values.
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
            case TEXT ->
                    sort.setText(
                            at, new String(HexFormat.of().parseHex(text), StandardCharsets.UTF_8));
            case BYTES -> sort.setBytes(at, HexFormat.of().parseHex(text));
            case DECIMAL -> throw new IllegalStateException("no property is a decimal");
        }
    }
}

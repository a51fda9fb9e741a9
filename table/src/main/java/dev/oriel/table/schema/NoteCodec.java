package dev.oriel.table.schema;

import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Comments;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.MaterializedView;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.NativeBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The bytes of `Note`s, after the header that [CatalogCodec] gives all definitions.
final class NoteCodec {
    /// Kind of a definition.
    static final int MATERIALIZED_VIEW = 20;

    private NoteCodec() {}

    static void put(NativeBuffer out, Comments comments) {
        out.putLong(comments.of());
        out.putShort(comments.texts().size());
        comments.texts()
                .forEach((subject, text) -> {
                    out.putByte(
                            switch (subject.part()) {
                                case WHOLE -> 0;
                                case COLUMN -> 1;
                                case INDEX -> 2;
                                case CONSTRAINT -> 3;
                            });
                    CatalogCodec.putName(out, subject.name());
                    CatalogCodec.putLongText(out, text);
                });
    }

    static Comments comments(long id, ByteBuffer in) {
        long of = in.getLong();
        int count = in.getShort() & 0xFFFF;
        Map<Comments.Subject, String> texts = new HashMap<>();
        for (int i = 0; i < count; i++) {
            Comments.Part part =
                    switch (in.get()) {
                        case 0 -> Comments.Part.WHOLE;
                        case 1 -> Comments.Part.COLUMN;
                        case 2 -> Comments.Part.INDEX;
                        case 3 -> Comments.Part.CONSTRAINT;
                        default -> throw CatalogCodec.unknown("part of a comment");
                    };
            String name = CatalogCodec.name(in);
            texts.put(new Comments.Subject(part, name), CatalogCodec.longText(in));
        }
        return new Comments(id, of, texts);
    }

    static void put(NativeBuffer out, Partition partition) {
        out.putLong(partition.of());
        out.putLong(partition.parent());
        CatalogCodec.putLongText(out, partition.bound());
        out.putByte(
                switch (partition.strategy()) {
                    case NONE -> 0;
                    case RANGE -> 1;
                    case LIST -> 2;
                    case HASH -> 3;
                });
        out.putShort(partition.key().size());
        partition.key().forEach(text -> CatalogCodec.putLongText(out, text));
    }

    static Partition partition(long id, ByteBuffer in) {
        long of = in.getLong();
        long parent = in.getLong();
        String bound = CatalogCodec.longText(in);
        Partition.Strategy strategy =
                switch (in.get()) {
                    case 0 -> Partition.Strategy.NONE;
                    case 1 -> Partition.Strategy.RANGE;
                    case 2 -> Partition.Strategy.LIST;
                    case 3 -> Partition.Strategy.HASH;
                    default -> throw CatalogCodec.unknown("strategy of partitions");
                };
        int count = in.getShort() & 0xFFFF;
        List<String> key = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            key.add(CatalogCodec.longText(in));
        }
        return new Partition(id, of, parent, bound, strategy, key);
    }

    static void put(NativeBuffer out, ExternalTable table) {
        CatalogCodec.putName(out, table.name());
        out.putShort(table.columns().size());
        for (Column column : table.columns()) {
            CatalogCodec.putName(out, column.name());
            CatalogCodec.putType(out, column.type());
            out.putByte(column.nullable() ? 1 : 0);
        }
        out.putShort(table.options().size());
        table.sorted()
                .forEach((name, value) -> {
                    CatalogCodec.putName(out, name);
                    CatalogCodec.putLongText(out, value);
                });
    }

    static void put(NativeBuffer out, MaterializedView view) {
        out.putLong(view.of());
        out.putShort(view.reads().size());
        for (String read : view.reads()) {
            CatalogCodec.putName(out, read);
        }
        CatalogCodec.putLongText(out, view.query());
        out.putByte(view.populated() ? 1 : 0);
    }

    static MaterializedView materializedView(long id, ByteBuffer in) {
        long of = in.getLong();
        int count = in.getShort() & 0xFFFF;
        List<String> reads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            reads.add(CatalogCodec.name(in));
        }
        String query = CatalogCodec.longText(in);
        return new MaterializedView(id, of, reads, query, in.get() == 1);
    }

    static ExternalTable external(long id, ByteBuffer in) {
        String name = CatalogCodec.name(in);
        int columnCount = in.getShort() & 0xFFFF;
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < columnCount; i++) {
            String columnName = CatalogCodec.name(in);
            Type type = CatalogCodec.type(in);
            columns.add(new Column(columnName, type, in.get() == 1));
        }
        int optionCount = in.getShort() & 0xFFFF;
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < optionCount; i++) {
            String option = CatalogCodec.name(in);
            options.put(option, CatalogCodec.longText(in));
        }
        return new ExternalTable(id, name, columns, options);
    }
}

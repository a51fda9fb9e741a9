package dev.oriel.table;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Slice;
import dev.oriel.store.UsageException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Definitions as bytes: what the tree `sys.catalog` holds. Numbers are little-endian.
///
/// Keys are numbers as [KeyCodec] writes them: 0 for the header, else the number of a table. A value
/// begins with a version byte, now 1; a reader refuses others.
///
/// ```
/// header: u8 version, u64 next number
/// table:  u8 version, text name,
///         u16 columns:     text name, u8 type, u32 length, u32 scale, u8 flags
///         u16 primary key: u16 column
///         u16 indexes:     u64 number, text name, u8 kind, u8 unique, u16 columns: u16 column
/// text:   u16 bytes, UTF-8
/// type:   1 BOOLEAN, 2 TINYINT, 3 SMALLINT, 4 INTEGER, 5 BIGINT, 6 DECIMAL, 7 REAL, 8 DOUBLE,
///         9 CHAR, 10 VARCHAR, 11 CLOB, 12 BINARY, 13 VARBINARY, 14 BLOB, 15 DATE, 16 TIME,
///         17 TIMESTAMP, 18 TIMESTAMP_TZ, 19 UUID
/// flags:  1 nullable, 2 the row is absent from this moment on, 4 set anew by every change
/// kind:   1 BTREE, 2 ARRAY
/// ```
/// Table `N` keeps its rows in the tree `tN`, BTREE index `N` its entries in `iN`.
final class CatalogCodec {
    static final String TREE = "sys.catalog";
    static final long HEADER_KEY = 0;

    private static final int VERSION = 1;
    private static final int NULLABLE = 1;
    private static final int EXPIRY = 2;
    private static final int ROW_VERSION = 4;
    private static final int NAME_BYTES_MAX = 1000;

    private CatalogCodec() {}

    /// A table and the numbers of its indexes.
    record Definition(Table table, List<Long> indexIds) {}

    static Slice key(long id) {
        NativeBuffer buffer = new NativeBuffer(16);
        KeyCodec.putLong(buffer, id);
        return buffer.slice(new Slice());
    }

    static long id(Slice key) {
        return new KeyReader().over(key).takeLong();
    }

    static Slice header(long nextId) {
        NativeBuffer out = new NativeBuffer(16);
        out.putByte(VERSION);
        out.putLong(nextId);
        return out.slice(new Slice());
    }

    static long nextId(Slice header) {
        return versioned(header).getLong();
    }

    static Slice encode(TableEntry entry) {
        NativeBuffer out = new NativeBuffer(512);
        Table table = entry.table();
        out.putByte(VERSION);
        putName(out, table.name());
        out.putShort(table.columns().size());
        for (Column column : table.columns()) {
            putName(out, column.name());
            out.putByte(code(column.type().name()));
            out.putInt(column.type().length());
            out.putInt(column.type().scale());
            out.putByte(flags(column));
        }
        putColumns(out, table.primaryKey());
        out.putShort(entry.indexes().size());
        for (IndexEntry index : entry.indexes()) {
            Index definition = index.definition();
            out.putLong(index.id());
            putName(out, definition.name());
            out.putByte(
                    switch (definition.kind()) {
                        case BTREE -> 1;
                        case ARRAY -> 2;
                    });
            out.putByte(definition.unique() ? 1 : 0);
            putColumns(out, definition.columns());
        }
        return out.slice(new Slice());
    }

    static Definition decode(long id, Slice value) {
        try {
            ByteBuffer in = versioned(value);
            String name = name(in);
            int columnCount = in.getShort() & 0xFFFF;
            List<Column> columns = new ArrayList<>(columnCount);
            for (int i = 0; i < columnCount; i++) {
                String columnName = name(in);
                Type type = new Type(typeName(in.get()), in.getInt(), in.getInt());
                int flags = in.get();
                columns.add(new Column(columnName, type, (flags & NULLABLE) != 0, role(flags)));
            }
            List<Integer> primaryKey = columns(in);
            int indexCount = in.getShort() & 0xFFFF;
            List<Index> indexes = new ArrayList<>(indexCount);
            List<Long> ids = new ArrayList<>(indexCount);
            for (int i = 0; i < indexCount; i++) {
                ids.add(in.getLong());
                indexes.add(index(in));
            }
            return new Definition(new Table(id, name, columns, primaryKey, indexes), ids);
        } catch (BufferUnderflowException e) {
            throw new CorruptionException(
                    "A definition ends too early; restore a backup", "table number=" + id, e);
        }
    }

    private static int flags(Column column) {
        int role =
                switch (column.role()) {
                    case PLAIN -> 0;
                    case EXPIRY -> EXPIRY;
                    case VERSION -> ROW_VERSION;
                };
        return role | (column.nullable() ? NULLABLE : 0);
    }

    private static Column.Role role(int flags) {
        return switch (flags & ~NULLABLE) {
            case 0 -> Column.Role.PLAIN;
            case EXPIRY -> Column.Role.EXPIRY;
            case ROW_VERSION -> Column.Role.VERSION;
            default -> throw unknown("kind of column");
        };
    }

    private static Index index(ByteBuffer in) {
        String name = name(in);
        Index.Kind kind =
                switch (in.get()) {
                    case 1 -> Index.Kind.BTREE;
                    case 2 -> Index.Kind.ARRAY;
                    default -> throw unknown("kind of index");
                };
        boolean unique = in.get() == 1;
        return new Index(name, kind, unique, columns(in));
    }

    /// Refuses names that the catalog cannot hold.
    static void checkName(String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > NAME_BYTES_MAX || Utf8.unpaired(name) >= 0) {
            throw new UsageException(
                    "A name must be text of 1 to " + NAME_BYTES_MAX + " bytes",
                    "name=" + KeyText.shortened(name) + " bytes=" + bytes);
        }
    }

    private static ByteBuffer versioned(Slice value) {
        ByteBuffer in = ByteBuffer.wrap(value.toBytes()).order(ByteOrder.LITTLE_ENDIAN);
        if (!in.hasRemaining() || in.get() != VERSION) {
            throw unknown("version of a definition");
        }
        return in;
    }

    private static void putName(NativeBuffer out, String name) {
        int at = out.length();
        out.putShort(0);
        out.putText(name);
        out.segment().set(NativeBuffer.SHORT, at, (short) (out.length() - at - 2));
    }

    private static String name(ByteBuffer in) {
        byte[] bytes = new byte[in.getShort() & 0xFFFF];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void putColumns(NativeBuffer out, List<Integer> columns) {
        out.putShort(columns.size());
        for (int column : columns) {
            out.putShort(column);
        }
    }

    private static List<Integer> columns(ByteBuffer in) {
        int count = in.getShort() & 0xFFFF;
        List<Integer> columns = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            columns.add(in.getShort() & 0xFFFF);
        }
        return columns;
    }

    private static CorruptionException unknown(String what) {
        return new CorruptionException(
                "The catalog holds an unknown " + what + "; open it with a newer release", "");
    }

    private static int code(Type.Name name) {
        return switch (name) {
            case BOOLEAN -> 1;
            case TINYINT -> 2;
            case SMALLINT -> 3;
            case INTEGER -> 4;
            case BIGINT -> 5;
            case DECIMAL -> 6;
            case REAL -> 7;
            case DOUBLE -> 8;
            case CHAR -> 9;
            case VARCHAR -> 10;
            case CLOB -> 11;
            case BINARY -> 12;
            case VARBINARY -> 13;
            case BLOB -> 14;
            case DATE -> 15;
            case TIME -> 16;
            case TIMESTAMP -> 17;
            case TIMESTAMP_TZ -> 18;
            case UUID -> 19;
        };
    }

    private static Type.Name typeName(int code) {
        for (Type.Name name : Type.Name.values()) {
            if (code(name) == code) {
                return name;
            }
        }
        throw unknown("type");
    }
}

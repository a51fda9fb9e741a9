package dev.oriel.graph.catalog;

import dev.oriel.graph.value.Bytes;
import dev.oriel.graph.value.ValueCodec;
import dev.oriel.store.Slice;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.key.RowKey;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The system tables of a graph: names of property keys and labels with their definitions, positions of the number
/// sequences, user-supplied ids, and variables. They are created with the graph. See docs/graph-layout.md.
final class SystemTables {
    private static final String SYSTEM = "oriel.graph";
    private static final String NAMES = ".names";
    private static final Type BLOB = Type.of(Type.Name.BLOB);

    private final Tables tables;
    private final Table names;
    private final Table ids;
    private final Table edgeIds;
    private final Table variables;

    /// Kind of a row in the table of names. The order of kinds is part of the format.
    enum Kind {
        PROPERTY_KEY,
        VERTEX_LABEL,
        EDGE_LABEL,
        VERTEX_SEQUENCE,
        HIDDEN_SEQUENCE,
        EDGE_SEQUENCE
    }

    /// Receives the rows of the table of names.
    interface NameSink {
        void name(Kind kind, int number, String text, Bytes definition);
    }

    SystemTables(Tables tables, String graph) {
        this.tables = tables;
        String system = system(graph);
        if (tables.catalog().table(system + NAMES)
                == null) { // an existing graph needs no write transaction
            create(tables, graph, null);
        }
        this.names = table(system + ".names");
        this.ids = table(system + ".ids");
        this.edgeIds = table(system + ".edge_ids");
        this.variables = table(system + ".variables");
    }

    private static String system(String graph) {
        return SYSTEM + (graph.isEmpty() ? "" : "." + graph);
    }

    /// Whether the graph `graph` exists.
    static boolean exist(Catalog catalog, String graph) {
        return catalog.table(system(graph) + NAMES) != null;
    }

    /// The names of all graphs.
    static List<String> graphs(Catalog catalog) {
        List<String> graphs = new ArrayList<>();
        for (Table table : catalog.tablesOfPublic()) {
            String name = table.name();
            int end = name.length() - NAMES.length();
            if (name.regionMatches(true, 0, SYSTEM, 0, SYSTEM.length())
                    && end >= SYSTEM.length()
                    && name.regionMatches(true, end, NAMES, 0, NAMES.length())) {
                graphs.add(end == SYSTEM.length() ? "" : name.substring(SYSTEM.length() + 1, end));
            }
        }
        graphs.sort(null);
        return graphs;
    }

    /// Creates the graph `graph`, unless it exists by now.
    ///
    /// @param own the transaction of the caller, if it writes
    static void create(Tables tables, String graph, @Nullable TableTransaction own) {
        try (TableTransaction transaction = tables.beginDefining(own)) {
            if (!exist(transaction.catalog(), graph)) {
                create(transaction, system(graph));
                transaction.commit();
            }
        }
    }

    private static void create(TableTransaction transaction, String system) {
        Column kind = new Column("kind", Type.of(Type.Name.TINYINT), false);
        Column number = new Column("number", Type.of(Type.Name.INTEGER), false);
        Column text = new Column("name", Type.varchar(0), false);
        Column definition = new Column("definition", BLOB, false);
        transaction.create(
                table(system + ".names", List.of(kind, number, text, definition), List.of(0, 1)));
        Column key = new Column("_key", BLOB, false);
        Column vertex = new Column("_vertex", Type.of(Type.Name.BIGINT), false);
        transaction.create(table(system + ".ids", List.of(key, vertex), List.of(0)));
        Column label = new Column("_label", Type.of(Type.Name.INTEGER), false);
        Column row = new Column("_row", BLOB, false);
        transaction.create(table(system + ".edge_ids", List.of(key, label, row), List.of(0)));
        Column value = new Column("value", BLOB, false);
        transaction.create(table(system + ".variables", List.of(text, value), List.of(0)));
    }

    private static Table table(String name, List<Column> columns, List<Integer> key) {
        return new Table(0, name, columns, key, List.of());
    }

    /// The table `of` of the graph: a system table or a label's table.
    ///
    /// @throws IllegalStateException if there is none
    Table table(String of) {
        Table table = tables.catalog().table(of);
        if (table == null) {
            throw new IllegalStateException("The graph's table " + of + " has been dropped");
        }
        return table;
    }

    /// Maps user-supplied ids to vertices.
    Table ids() {
        return ids;
    }

    /// Maps user-supplied ids to edges: their labels and row keys.
    Table edgeIds() {
        return edgeIds;
    }

    Table variables() {
        return variables;
    }

    /// Passes all names to `each`, by kind and number.
    void read(NameSink each) {
        try (TableTransaction transaction = tables.beginRead()) {
            RowCursor cursor = transaction.cursor(names, null);
            cursor.open(transaction, new KeyRange(2), false);
            while (cursor.next()) {
                each.name(
                        Kind.values()[(int) cursor.longAt(0)],
                        (int) cursor.longAt(1),
                        String.valueOf(cursor.textAt(2)),
                        Bytes.over(bytes(cursor, 3)));
            }
        }
    }

    private static byte[] bytes(Row row, int column) {
        byte[] bytes = row.bytesAt(column);
        return bytes == null ? new byte[0] : bytes;
    }

    @SuppressWarnings("EnumOrdinal") // the order of kinds is part of the format
    void write(TableTransaction transaction, Kind kind, int number, String text, Bytes definition) {
        Tuple row = new Tuple(4);
        row.setLong(0, kind.ordinal());
        row.setLong(1, number);
        row.setText(2, text);
        row.setBytes(3, definition.copy());
        Slice key = new RowKey(names).of(row);
        if (!transaction.update(names, key, row)) {
            transaction.insert(names, row);
        }
    }

    @SuppressWarnings("EnumOrdinal") // the order of kinds is part of the format
    void remove(TableTransaction transaction, Kind kind, int number) {
        Tuple key = new Tuple(2);
        key.setLong(0, kind.ordinal());
        key.setLong(1, number);
        transaction.delete(names, new RowKey(names).of(key));
    }

    /// Persists the limit of a sequence by an immediate commit; in `own`, if no other transaction can commit
    /// beside that.
    ///
    /// @param own the transaction of the caller, if it writes
    Sequence.Reservation reservation(Kind kind, int number, @Nullable TableTransaction own) {
        return limit -> {
            Bytes out = new Bytes();
            out.putVarint(limit);
            if (own != null && !tables.mayAddBeside(own)) {
                write(own, kind, number, "", out);
                return false;
            }
            try (TableTransaction transaction = tables.beginDefining(own)) {
                write(transaction, kind, number, "", out);
                transaction.commit();
            }
            return true;
        };
    }

    /// Writes the position of `sequence` in `transaction`.
    ///
    /// @return to be run when the transaction has committed
    Runnable keep(TableTransaction transaction, Kind kind, int number, Sequence sequence) {
        long given = sequence.next();
        if (sequence.keeps(given)) {
            return () -> {};
        }
        Bytes out = new Bytes();
        out.putVarint(given);
        write(transaction, kind, number, "", out);
        return () -> sequence.kept(given);
    }

    /// The highest number given as a vertex id by a user that could collide with sequences, as seen by `transaction`;
    /// `least` if that is higher.
    long highestNumber(TableTransaction transaction, long least) {
        long first = VertexLabel.PLACES_MAX << (VertexLabel.BITS + 1); // beyond all sequences
        KeyRange numbers = new KeyRange(1);
        numbers.upper().setBytes(0, ValueCodec.idKey(first));
        numbers.to(1, false);
        RowCursor cursor = transaction.cursor(ids, null);
        cursor.open(transaction, numbers, true);
        if (!cursor.next()) {
            return least;
        }
        Bytes in = Bytes.over(bytes(cursor, 0));
        in.take();
        return Math.max(least, in.takeFixed(8) ^ Long.MIN_VALUE);
    }
}

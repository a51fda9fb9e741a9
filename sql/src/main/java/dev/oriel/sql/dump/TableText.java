package dev.oriel.sql.dump;

import dev.oriel.sql.bind.Partitions;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Check;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The statements that define tables, their keys and indexes.
final class TableText {
    static final Type BIGINT = Type.of(Type.Name.BIGINT);

    private static final String SEPARATOR = ",\n    ";

    private final Catalog catalog;

    TableText(Catalog catalog) {
        this.catalog = catalog;
    }

    /// CREATE TABLE with columns, primary key and checks. The other keys have statements of their own.
    String table(Table table) {
        List<String> elements = new ArrayList<>();
        table.columns().forEach(column -> elements.add(column(column)));
        if (!table.primaryKey().isEmpty()) {
            String name = table.constraints().primaryKey();
            elements.add(
                    (name.isEmpty() ? "" : "CONSTRAINT " + NameText.of(name) + " ")
                            + "PRIMARY KEY "
                            + NameText.list(table.columns(), table.primaryKey()));
        }
        Partitions partitions = Partitions.of(catalog, table);
        for (Check check : table.constraints().declared()) {
            if (partitions == null || PartitionText.owner(partitions, check) == null) {
                elements.add(check(check.name(), check.expression()));
            }
        }
        Partition place = catalog.partition(table.id());
        return "CREATE TABLE "
                + NameText.of(table.schema(), table.name())
                + elements(elements)
                + (place == null ? "" : PartitionText.by(place));
    }

    /// The elements of a definition in parentheses, a line each.
    static String elements(List<String> elements) {
        return elements.isEmpty() ? " ()" : " (\n    " + String.join(SEPARATOR, elements) + ")";
    }

    static String check(String name, String expression) {
        return "CONSTRAINT " + NameText.of(name) + " CHECK (" + expression + ")";
    }

    private String column(Column column) {
        StringBuilder text = new StringBuilder(plain(column));
        if (column.role() != Column.Role.PLAIN) {
            text.append(" ROW ").append(column.role());
        }
        switch (column.filling()) {
            case null -> {}
            case ColumnDefault.Default value -> text.append(" DEFAULT ").append(value.expression());
            case ColumnDefault.Generated value ->
                    text.append(" GENERATED ALWAYS AS (")
                            .append(value.expression())
                            .append(") STORED");
            case ColumnDefault.Identity identity -> text.append(identity(column, identity));
        }
        if (column.update() != null) {
            text.append(" ON UPDATE ").append(column.update());
        }
        return text.toString();
    }

    /// Name, type and NOT NULL of a column.
    static String plain(Column column) {
        boolean implied = column.filling() instanceof ColumnDefault.Identity;
        return NameText.of(column.name())
                + " "
                + TypeText.of(column.type())
                + (column.nullable() || implied ? "" : " NOT NULL");
    }

    private String identity(Column column, ColumnDefault.Identity identity) {
        String text =
                " GENERATED " + (identity.always() ? "ALWAYS" : "BY DEFAULT") + " AS IDENTITY";
        Sequence sequence = catalog.sequence(identity.sequence());
        if (sequence == null) {
            return text;
        }
        String options = options(sequence, column.type());
        return text
                + " (SEQUENCE NAME "
                + NameText.of(sequence.schema(), sequence.name())
                + (options.isEmpty() ? "" : " " + options)
                + ")";
    }

    /// The options of a sequence of numbers of `type` that are not the usual ones.
    String options(Sequence sequence, Type type) {
        boolean up = sequence.increment() > 0;
        long greatest =
                switch (type.withoutDomain().name()) {
                    case TINYINT -> Byte.MAX_VALUE;
                    case SMALLINT -> Short.MAX_VALUE;
                    case INTEGER -> Integer.MAX_VALUE;
                    default -> Long.MAX_VALUE;
                };
        List<String> options = new ArrayList<>();
        if (sequence.start() != (up ? sequence.least() : sequence.most())) {
            options.add("START WITH " + sequence.start());
        }
        if (sequence.increment() != 1) {
            options.add("INCREMENT BY " + sequence.increment());
        }
        if (sequence.least() != (up ? 1 : -greatest - 1)) {
            options.add("MINVALUE " + sequence.least());
        }
        if (sequence.most() != (up ? greatest : -1)) {
            options.add("MAXVALUE " + sequence.most());
        }
        if (sequence.cycle()) {
            options.add("CYCLE");
        }
        return String.join(" ", options);
    }

    /// A unique constraint or an index.
    String index(Table table, Index index) {
        String on = NameText.of(table.schema(), table.name());
        if (index.constraint()) {
            return "ALTER TABLE "
                    + on
                    + " ADD CONSTRAINT "
                    + NameText.of(index.name())
                    + " UNIQUE "
                    + nulls(index)
                    + NameText.list(table.columns(), index.columns())
                    + (index.deferred() ? " DEFERRABLE INITIALLY DEFERRED" : "");
        }
        Index.Terms terms = index.terms();
        List<String> keys = new ArrayList<>();
        if (terms == null) {
            index.columns().forEach(i -> keys.add(NameText.of(table.columns().get(i).name())));
        } else {
            keys.addAll(terms.expressions());
        }
        return index(index, on, keys, terms == null ? null : terms.condition());
    }

    /// CREATE INDEX.
    static String index(Index index, String on, List<String> keys, @Nullable String where) {
        String kind = index.kind() == Index.Kind.BTREE ? "" : index.kind() + " ";
        String nulls = nulls(index);
        return "CREATE "
                + (index.unique() ? "UNIQUE " : "")
                + kind
                + "INDEX "
                + NameText.of(index.name())
                + " ON "
                + on
                + " ("
                + index.ordered(keys)
                + ")"
                + (nulls.isEmpty() ? "" : " " + nulls.strip())
                + (where == null ? "" : " WHERE " + where);
    }

    private static String nulls(Index index) {
        return switch (index.nulls()) {
            case DISTINCT -> "";
            case NOT_DISTINCT -> "NULLS NOT DISTINCT ";
            case ALL_DISTINCT -> "NULLS ALL DISTINCT ";
        };
    }

    String foreignKey(Table table, ForeignKey key) {
        Table parent = catalog.table(key.parent());
        if (parent == null) {
            throw new IllegalStateException("a foreign key refers to no table: " + key.name());
        }
        return "ALTER TABLE "
                + NameText.of(table.schema(), table.name())
                + " ADD CONSTRAINT "
                + NameText.of(key.name())
                + " FOREIGN KEY "
                + NameText.list(table.columns(), key.columns())
                + " REFERENCES "
                + NameText.of(parent.schema(), parent.name())
                + " "
                + NameText.list(parent.columns(), key.parentColumns())
                + (key.full() ? " MATCH FULL" : "")
                + action(" ON DELETE ", key.onDelete())
                + (key.deleted().isEmpty()
                        ? ""
                        : " " + NameText.list(table.columns(), key.deleted()))
                + action(" ON UPDATE ", key.onUpdate())
                + (key.deferrable() ? " DEFERRABLE" : "")
                + (key.deferred() ? " INITIALLY DEFERRED" : "");
    }

    private static String action(String clause, ForeignKey.Action action) {
        return action == ForeignKey.Action.NO_ACTION
                ? ""
                : clause + action.name().replace('_', ' ');
    }

    String external(ExternalTable table) {
        List<String> options = new ArrayList<>();
        for (Map.Entry<String, String> option : table.sorted().entrySet()) {
            options.add(option.getKey() + "=" + NameText.literal(option.getValue()));
        }
        return "CREATE EXTERNAL TABLE "
                + NameText.of("", table.name())
                + elements(table.columns().stream().map(TableText::plain).toList())
                + " ORGANIZATION ("
                + String.join(", ", options)
                + ")";
    }
}

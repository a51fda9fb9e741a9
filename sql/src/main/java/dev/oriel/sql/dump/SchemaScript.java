package dev.oriel.sql.dump;

import dev.oriel.sql.bind.Partitions;
import dev.oriel.sql.bind.TriggerText;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.NamedSchema;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.UserType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// The definitions of a catalog as a script of SQL that makes them again, with statements that load the rows between
/// them. The order is that of the dependencies, then of the names: equal databases have equal scripts. Numbers of
/// definitions are not in it. Temporary tables are left out.
public final class SchemaScript {
    private final Catalog catalog;
    private final Function<Sequence, Sequence.Position> positions;
    private final ToLongFunction<Table> counts;
    private final TableText texts;
    private final List<Part> parts = new ArrayList<>();

    private SchemaScript(
            Catalog catalog,
            Function<Sequence, Sequence.Position> positions,
            ToLongFunction<Table> counts) {
        this.catalog = catalog;
        this.positions = positions;
        this.counts = counts;
        this.texts = new TableText(catalog);
    }

    /// A piece of the script.
    public sealed interface Part {
        /// Text of the part, without a semicolon.
        String text();

        /// A comment over the statements that follow.
        record Heading(String text) implements Part {}

        /// A statement.
        record Definition(String text) implements Part {}

        /// A COPY statement that loads the rows of `table`.
        ///
        /// @param columns positions of the columns in the file
        /// @param file name of the file
        record Rows(String text, Table table, List<Integer> columns, String file) implements Part {
            public Rows {
                columns = List.copyOf(columns);
            }
        }
    }

    /// The script for `catalog`.
    ///
    /// @param positions the position of each sequence
    /// @param counts the number of rows of each table
    public static List<Part> of(
            Catalog catalog,
            Function<Sequence, Sequence.Position> positions,
            ToLongFunction<Table> counts) {
        return new SchemaScript(catalog, positions, counts).parts();
    }

    private List<Part> parts() {
        List<Table> stored =
                catalog.tables().stream()
                        .filter(table -> !table.temporary())
                        .filter(table -> catalog.materialized(table.id()) == null)
                        .toList();
        section("Schemas", this::schemas);
        section("Sequences", this::freeSequences);
        section("Types", this::types);
        section("Tables", () -> stored.forEach(this::table));
        section("Keys and indexes", () -> stored.forEach(this::indexes));
        section("Rows", () -> rows(stored));
        section("Positions of sequences", this::positions);
        section("Foreign keys", () -> stored.forEach(this::foreignKeys));
        section("Columns that replace NULL", () -> stored.forEach(this::fillsNull));
        section("External tables", this::externals);
        section("Views and functions", this::views);
        section("Procedures and triggers", () -> routines(stored));
        section("Property graphs", this::graphs);
        section("Comments", () -> new CommentText(catalog).all().forEach(this::add));
        return List.copyOf(parts);
    }

    private void section(String title, Runnable content) {
        int before = parts.size();
        content.run();
        if (parts.size() > before) {
            parts.add(before, new Part.Heading(title));
        }
    }

    private void add(String statement) {
        parts.add(new Part.Definition(statement));
    }

    private void schemas() {
        for (NamedSchema schema : catalog.schemas()) {
            add("CREATE SCHEMA " + NameText.of(schema.name()));
        }
    }

    /// Numbers of the sequences of identity columns.
    private Set<Long> identities() {
        Set<Long> identities = new HashSet<>();
        for (Table table : catalog.tables()) {
            for (Column column : table.columns()) {
                if (column.filling() instanceof ColumnDefault.Identity identity) {
                    identities.add(identity.sequence());
                }
            }
        }
        return identities;
    }

    private List<Sequence> sequences() {
        return catalog.sequences().stream().filter(each -> !each.temporary()).toList();
    }

    private void freeSequences() {
        Set<Long> identities = identities();
        for (Sequence sequence : sequences()) {
            if (!identities.contains(sequence.id())) {
                String options = texts.options(sequence, TableText.BIGINT);
                add(
                        "CREATE SEQUENCE "
                                + NameText.of(sequence.schema(), sequence.name())
                                + (options.isEmpty() ? "" : " " + options));
            }
        }
    }

    private void types() {
        for (UserType type : TypeText.ordered(catalog.userTypes())) {
            add(TypeText.definition(type));
        }
    }

    private void table(Table table) {
        add(texts.table(table));
        Partitions partitions = Partitions.of(catalog, table);
        if (partitions != null) {
            new PartitionText(catalog, partitions).all().forEach(this::add);
        }
    }

    private void rows(List<Table> stored) {
        FileNames files = new FileNames();
        for (Table table : stored) {
            List<Integer> columns = new ArrayList<>();
            List<String> names = new ArrayList<>();
            for (int i = 0; i < table.columns().size(); i++) {
                Column column = table.columns().get(i);
                if (!column.generated() && column.role() != Column.Role.VERSION) {
                    columns.add(i);
                    names.add(NameText.of(column.name()));
                }
            }
            if (columns.isEmpty()) {
                generated(table);
                continue;
            }
            String file = files.of(table);
            String text =
                    "COPY "
                            + NameText.of(table.schema(), table.name())
                            + " ("
                            + String.join(", ", names)
                            + ") FROM "
                            + NameText.literal(file)
                            + " (FORMAT CSV, HEADER MATCH)";
            parts.add(new Part.Rows(text, table, columns, file));
        }
    }

    /// Adds the rows of a table that has no columns to be given.
    private void generated(Table table) {
        long count = counts.applyAsLong(table);
        if (count > 0) {
            add(
                    "INSERT INTO "
                            + NameText.of(table.schema(), table.name())
                            + " SELECT FROM GENERATE_SERIES(1, "
                            + count
                            + ")");
        }
    }

    private void positions() {
        Set<Long> identities = identities();
        for (Sequence sequence : sequences()) {
            String name = NameText.of(sequence.schema(), sequence.name());
            Sequence.Position position = positions.apply(sequence);
            if (position.given() || position.number() != sequence.start()) {
                add(
                        "SELECT SETVAL("
                                + NameText.literal(name)
                                + ", "
                                + position.number()
                                + ", "
                                + (position.given() ? "TRUE" : "FALSE")
                                + ")");
            }
            Table owner = catalog.table(sequence.owner());
            if (owner != null && !identities.contains(sequence.id())) {
                add(
                        "ALTER SEQUENCE "
                                + name
                                + " OWNED BY "
                                + NameText.of(owner.schema(), owner.name())
                                + "."
                                + NameText.of(owner.columns().getFirst().name()));
            }
        }
    }

    private void indexes(Table table) {
        Partitions partitions = Partitions.of(catalog, table);
        for (Index index : table.indexes()) {
            if (partitions == null || PartitionText.owner(partitions, index) == null) {
                add(texts.index(table, index));
            }
        }
        if (partitions != null) {
            new PartitionText(catalog, partitions).indexes().forEach(this::add);
        }
    }

    private void foreignKeys(Table table) {
        for (ForeignKey key : table.constraints().foreignKeys()) {
            add(texts.foreignKey(table, key));
        }
    }

    private void fillsNull(Table table) {
        for (Column column : table.columns()) {
            if (column.fillsNull()) {
                add(
                        "ALTER TABLE "
                                + NameText.of(table.schema(), table.name())
                                + " ALTER COLUMN "
                                + NameText.of(column.name())
                                + " SET DEFAULT ON NULL");
            }
        }
    }

    private void externals() {
        for (ExternalTable table : catalog.externals()) {
            add(texts.external(table));
        }
    }

    /// Functions that run statements may call procedures, which come later: their bodies are not checked.
    private void views() {
        List<String> all = new ViewText(catalog).all();
        if (catalog.functions().stream().anyMatch(SqlFunction::runs)) {
            add("SET check_function_bodies = off");
            all.forEach(this::add);
            add("RESET check_function_bodies");
        } else {
            all.forEach(this::add);
        }
    }

    /// Procedures may call one another, and all may call functions in Java: bodies are not checked.
    private void routines(List<Table> stored) {
        int before = parts.size();
        for (Procedure procedure : catalog.procedures()) {
            within(procedure.path(), ProcedureText.of(procedure));
        }
        stored.forEach(table -> triggers(table.id()));
        catalog.views().forEach(view -> triggers(view.id()));
        if (parts.size() > before) {
            parts.add(before, new Part.Definition("SET check_function_bodies = off"));
            add("RESET check_function_bodies");
        }
    }

    /// Adds `statement` with the search path `path` around it.
    private void within(List<String> path, String statement) {
        List<String> around = FunctionText.within(path);
        if (!around.isEmpty()) {
            add(around.getFirst());
        }
        add(statement);
        if (!around.isEmpty()) {
            add(around.getLast());
        }
    }

    private void triggers(long of) {
        for (Trigger trigger : catalog.triggers(of)) {
            within(trigger.path(), TriggerText.of(catalog, trigger));
            if (!trigger.enabled()) {
                add(
                        "ALTER TABLE "
                                + TriggerText.relation(catalog, trigger)
                                + " DISABLE TRIGGER "
                                + NameText.of(trigger.name()));
            }
        }
    }

    private void graphs() {
        for (PropertyGraph graph : catalog.graphs()) {
            add(new GraphText(catalog, graph).definition());
        }
    }
}

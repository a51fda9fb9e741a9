package dev.oriel.sql.define;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.ConstraintBinder;
import dev.oriel.sql.bind.SelectBinder;
import dev.oriel.sql.bind.Views;
import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.plan.SequenceFunctions;
import dev.oriel.sql.syntax.Renaming;
import dev.oriel.sql.syntax.SchemaStatement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.NamedSchema;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Runs CREATE, ALTER and DROP SCHEMA, and SET SCHEMA of tables, views and sequences.
final class SchemaDefinitions {
    /// Built-in schemas.
    private static final Set<String> OWN = Set.of("public", "information_schema", "sys");

    private final SqlText source;
    private final TableTransaction transaction;

    /// The definitions before the statement.
    private final Catalog former;

    SchemaDefinitions(SqlText source, TableTransaction transaction) {
        this.source = source;
        this.transaction = transaction;
        this.former = transaction.catalog();
    }

    /// The schema in which a statement creates `name`; PUBLIC is the empty string.
    ///
    /// @param temporary whether the object is to belong to the session
    static String of(SqlText source, Catalog catalog, Identifier name, boolean temporary) {
        if (name.schema().isEmpty()) {
            if (temporary) {
                return catalog.temporary();
            }
            List<String> current = catalog.current();
            if (current.isEmpty()) {
                throw source.error(
                        Kind.UNKNOWN_SCHEMA,
                        name.position(),
                        "None of the schemas of search_path exists: name the schema of \""
                                + name.name()
                                + "\"");
            }
            return current.getFirst();
        }
        String schema = catalog.schema(name.schema());
        if (schema == null) {
            throw unknown(source, catalog, new Identifier(name.position(), name.schema()));
        }
        if (temporary && !schema.equals(catalog.temporary())) {
            throw source.error(
                    Kind.INVALID_DEFINITION,
                    name.position(),
                    "Temporary objects are in the schema of the session: leave out \""
                            + name.schema()
                            + "\"");
        }
        return schema;
    }

    static SqlException unknown(SqlText source, Catalog catalog, Identifier name) {
        List<String> names = new ArrayList<>(List.of("public"));
        catalog.schemas().forEach(schema -> names.add(schema.name()));
        boolean own = isReserved(name.name());
        return source.error(
                own ? Kind.FILE_REFUSED : Kind.UNKNOWN_SCHEMA,
                name.position(),
                own
                        ? "Schema \"" + name.name() + "\" belongs to the database: choose another"
                        : "There is no schema \""
                                + name.name()
                                + "\""
                                + Nearest.hint(name.name(), names));
    }

    private static boolean isReserved(String name) {
        String folded = name.toLowerCase(Locale.ROOT);
        return OWN.contains(folded) || folded.startsWith("pg_");
    }

    /// Runs CREATE SCHEMA; returns whether there is a new schema.
    boolean create(SchemaStatement.Create create) {
        Identifier name = create.name();
        if (isFree(name, create.ifNotExists())) {
            transaction.create(new NamedSchema(0, name.name()));
            return true;
        }
        return false;
    }

    private boolean isFree(Identifier name, boolean ifNotExists) {
        boolean own = OWN.contains(name.name().toLowerCase(Locale.ROOT));
        if (own || transaction.catalog().named(name.name()) != null) {
            if (ifNotExists) {
                return false;
            }
            throw source.error(
                    Kind.DUPLICATE_SCHEMA,
                    name.position(),
                    "There is a schema \""
                            + name.name()
                            + "\" already: choose another name, or say IF NOT EXISTS");
        }
        if (isReserved(name.name())) {
            throw source.error(
                    Kind.RESERVED_NAME,
                    name.position(),
                    "Names of schemas that begin with pg_ belong to the database: choose another");
        }
        return true;
    }

    void drop(SchemaStatement.Drop drop) {
        List<NamedSchema> dropped = new ArrayList<>();
        for (Identifier name : drop.names()) {
            NamedSchema schema = found(name, drop.ifExists());
            if (schema != null && !dropped.contains(schema)) {
                dropped.add(schema);
            }
        }
        Identifier first = drop.names().getFirst();
        for (NamedSchema schema : dropped) {
            String held = held(schema);
            if (held != null && !drop.cascade()) {
                throw source.error(
                        Kind.DEPENDENT,
                        first.position(),
                        "Schema \""
                                + schema.name()
                                + "\" holds "
                                + held
                                + ": drop that first, or use CASCADE");
            }
            empty(schema);
            transaction.drop(schema);
        }
        if (!dropped.isEmpty()) {
            loseSequences();
            Views.check(source, first.position(), transaction, former, drop.cascade());
        }
    }

    private @Nullable NamedSchema found(Identifier name, boolean ifExists) {
        Catalog catalog = transaction.catalog();
        NamedSchema schema = catalog.named(name.name());
        if (schema == null && isReserved(name.name())) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    name.position(),
                    "Schema \"" + name.name() + "\" is part of every database, and stays as it is");
        }
        if (schema == null && !ifExists) {
            throw unknown(source, catalog, name);
        }
        return schema;
    }

    /// Description of an object in `schema`; null if it is empty.
    private @Nullable String held(NamedSchema schema) {
        Catalog catalog = transaction.catalog();
        for (Table table : catalog.tables()) {
            if (table.schema().equals(schema.name())) {
                return "table \"" + table.name() + "\"";
            }
        }
        for (View view : catalog.views()) {
            if (view.schema().equals(schema.name())) {
                return "view \"" + view.name() + "\"";
            }
        }
        for (Sequence sequence : catalog.sequences()) {
            if (sequence.schema().equals(schema.name())) {
                return "sequence \"" + sequence.name() + "\"";
            }
        }
        for (SqlFunction function : catalog.functions()) {
            if (function.schema().equals(schema.name())) {
                return "function \"" + function.name() + "\"";
            }
        }
        for (Procedure procedure : catalog.procedures()) {
            if (procedure.schema().equals(schema.name())) {
                return "procedure \"" + procedure.name() + "\"";
            }
        }
        return null;
    }

    private void empty(NamedSchema schema) {
        Catalog catalog = transaction.catalog();
        for (View view : catalog.views()) {
            if (view.schema().equals(schema.name())) {
                checkTogether(view);
                transaction.drop(view);
            }
        }
        for (Table table : catalog.tables()) {
            Table now = transaction.catalog().table(table.id());
            if (now != null && now.schema().equals(schema.name())) {
                PartitionDefinitions.dropAll(transaction, now);
                withoutReferences(now);
                transaction.drop(now);
            }
        }
        for (Sequence sequence : transaction.catalog().sequences()) {
            if (sequence.schema().equals(schema.name())) {
                transaction.drop(sequence);
            }
        }
        for (SqlFunction function : transaction.catalog().functions()) {
            if (function.schema().equals(schema.name())) {
                transaction.drop(function);
            }
        }
        for (Procedure procedure : transaction.catalog().procedures()) {
            if (procedure.schema().equals(schema.name())) {
                transaction.drop(procedure);
            }
        }
    }

    /// Checks that a partition is dropped with the table that stores its rows.
    private void checkTogether(View view) {
        Partition place = transaction.catalog().partition(view.id());
        Table table = place == null ? null : transaction.catalog().storing(place);
        if (table != null && !table.schema().equals(view.schema())) {
            throw source.error(
                    Kind.DEPENDENT,
                    0,
                    "Partition \""
                            + view.name()
                            + "\" is of the table \""
                            + table.name()
                            + "\" of another schema; drop or detach it first");
        }
    }

    /// Drops the foreign keys of other tables that refer to `dropped`.
    private void withoutReferences(Table dropped) {
        for (Table table : transaction.catalog().tables()) {
            List<ForeignKey> kept =
                    table.constraints().foreignKeys().stream()
                            .filter(key -> key.parent() != dropped.id())
                            .toList();
            boolean less = kept.size() < table.constraints().foreignKeys().size();
            if (less && table.id() != dropped.id()) {
                transaction.redefine(
                        table.withConstraints(table.constraints().withForeignKeys(kept)), null);
            }
        }
    }

    /// Removes defaults of columns whose sequences are dropped.
    private void loseSequences() {
        Catalog catalog = transaction.catalog();
        for (Table table : catalog.tables()) {
            List<Column> columns = new ArrayList<>();
            for (Column column : table.columns()) {
                boolean lost =
                        column.filling() instanceof ColumnDefault.Default value
                                && !Sequences.drawn(table, column, value).stream()
                                        .allMatch(name -> SequenceFunctions.exists(catalog, name));
                columns.add(lost ? column.withFilling(null) : column);
            }
            if (!columns.equals(table.columns())) {
                transaction.redefine(table.withColumns(columns), null);
            }
        }
    }

    void alter(SchemaStatement.Alter alter) {
        NamedSchema schema = found(alter.name(), false);
        Identifier to = alter.to();
        if (schema == null || to == null) {
            return;
        }
        if (!to.name().equalsIgnoreCase(schema.name())) {
            isFree(to, false);
        }
        transaction.create(new NamedSchema(schema.id(), to.name()));
        Catalog catalog = transaction.catalog();
        for (Table table : catalog.tables()) {
            Table renamed = reworded(table, schema.name(), to.name());
            if (table.schema().equals(schema.name())) {
                renamed = renamed.withSchema(to.name());
            }
            if (!renamed.equals(table)) {
                transaction.redefine(renamed, null);
            }
        }
        for (Sequence sequence : catalog.sequences()) {
            if (sequence.schema().equals(schema.name())) {
                transaction.create(sequence.withSchema(to.name()));
            }
        }
        for (SqlFunction function : catalog.functions()) {
            String own = function.schema().equals(schema.name()) ? to.name() : function.schema();
            SqlFunction renamed = function.moved(own, schema.name(), to.name());
            if (!renamed.equals(function)) {
                transaction.create(renamed);
            }
        }
        for (Procedure procedure : catalog.procedures()) {
            String own = procedure.schema().equals(schema.name()) ? to.name() : procedure.schema();
            Procedure renamed = procedure.moved(own, schema.name(), to.name());
            if (!renamed.equals(procedure)) {
                transaction.create(renamed);
            }
        }
        for (Trigger trigger : catalog.triggers()) {
            Trigger renamed = trigger.moved(schema.name(), to.name());
            if (!renamed.equals(trigger)) {
                transaction.create(renamed);
            }
        }
        for (View view : transaction.catalog().queries()) {
            View renamed = view.withQuery(Renaming.schema(view.query(), schema.name(), to.name()));
            if (view.schema().equals(schema.name())) {
                renamed = renamed.withSchema(to.name());
            }
            if (!renamed.equals(view)) {
                Views.store(transaction, renamed);
            }
        }
        Views.check(source, alter.name().position(), transaction, former, false);
    }

    /// `table` whose defaults draw from sequences of the schema `to` instead of `from`.
    private static Table reworded(Table table, String from, String to) {
        List<Column> columns = new ArrayList<>();
        for (Column column : table.columns()) {
            columns.add(
                    column.filling() instanceof ColumnDefault.Default value
                            ? column.withFilling(
                                    new ColumnDefault.Default(
                                            Renaming.sequences(
                                                    value.expression(),
                                                    name ->
                                                            SequenceFunctions.moved(
                                                                    name, from, to))))
                            : column);
        }
        return columns.equals(table.columns()) ? table : table.withColumns(columns);
    }

    void move(SchemaStatement.Move move) {
        Catalog catalog = transaction.catalog();
        String path = move.name().path();
        if (move.ifExists()
                && catalog.table(path) == null
                && catalog.view(path) == null
                && catalog.sequence(path) == null) {
            return;
        }
        String to = catalog.schema(move.to().name());
        if (to == null) {
            throw unknown(source, catalog, move.to());
        }
        View view = catalog.view(path);
        Sequence sequence = catalog.sequence(path);
        if (view != null && move.kind() != SchemaStatement.Kind.SEQUENCE) {
            checkFree(move, view.schema(), to, view.name());
            List<View> readers =
                    Views.renamed(catalog, view.schema(), view.name(), written(to, view.name()));
            transaction.create(view.withSchema(to));
            readers.forEach(reader -> Views.store(transaction, reader));
        } else if (sequence != null && move.kind() != SchemaStatement.Kind.VIEW) {
            move(move, sequence, to);
        } else if (move.kind() == SchemaStatement.Kind.TABLE) {
            move(move, SelectBinder.table(source, catalog, move.name()), to);
        } else {
            String kind = move.kind().name().toLowerCase(Locale.ROOT);
            throw source.error(
                    catalog.table(path) != null ? Kind.WRONG_OBJECT : Kind.UNKNOWN_TABLE,
                    move.name().position(),
                    "There is no " + kind + " \"" + move.name().text() + "\"");
        }
        Views.check(source, move.name().position(), transaction, former, false);
    }

    private void move(SchemaStatement.Move move, Table table, String to) {
        checkFree(move, table.schema(), to, table.name());
        for (Index index : table.indexes()) {
            checkFree(move, table.schema(), to, index.name());
        }
        String key = table.constraints().primaryKey();
        if (!key.isEmpty()) {
            checkFree(move, table.schema(), to, key);
        }
        List<View> readers =
                Views.renamed(
                        transaction.catalog(),
                        table.schema(),
                        table.name(),
                        written(to, table.name()));
        transaction.redefine(table.withSchema(to), null);
        readers.forEach(reader -> Views.store(transaction, reader));
        for (Sequence sequence : transaction.catalog().sequences()) {
            if (sequence.owner() == table.id() && !sequence.schema().equals(to)) {
                moved(move, sequence, to);
            }
        }
    }

    private void move(SchemaStatement.Move move, Sequence sequence, String to) {
        if (sequence.owner() != 0) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    move.name().position(),
                    "Sequence \"" + sequence.name() + "\" belongs to a table, and moves with that");
        }
        moved(move, sequence, to);
    }

    private void moved(SchemaStatement.Move move, Sequence sequence, String to) {
        checkFree(move, sequence.schema(), to, sequence.name());
        Sequence after = transaction.create(sequence.withSchema(to));
        for (Table table : transaction.catalog().tables()) {
            Table renamed = drawing(table, sequence, SequenceFunctions.written(after));
            if (!renamed.equals(table)) {
                transaction.redefine(renamed, null);
            }
        }
    }

    /// `table` with the defaults that draw from `sequence` drawing from the one spelled `to`.
    static Table drawing(Table table, Sequence sequence, String to) {
        List<Column> columns = new ArrayList<>();
        for (Column column : table.columns()) {
            columns.add(
                    column.filling() instanceof ColumnDefault.Default value
                            ? column.withFilling(
                                    new ColumnDefault.Default(
                                            Renaming.sequences(
                                                    value.expression(),
                                                    name ->
                                                            SequenceFunctions.means(name, sequence)
                                                                    ? to
                                                                    : name)))
                            : column);
        }
        return columns.equals(table.columns()) ? table : table.withColumns(columns);
    }

    /// The name of `name` in `schema`, as definitions spell it.
    static String written(String schema, String name) {
        return schema.isEmpty() || schema.startsWith(Catalog.TEMPORARY_SCHEMA)
                ? Quoting.name(name)
                : Quoting.name(schema) + "." + Quoting.name(name);
    }

    private void checkFree(SchemaStatement.Move move, String from, String to, String name) {
        boolean temporary =
                from.equals(transaction.catalog().temporary())
                        != to.equals(transaction.catalog().temporary());
        if (temporary && !transaction.catalog().temporary().isEmpty()) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    move.to().position(),
                    "Nothing can be moved into or out of the schema of temporary tables");
        }
        String path = SearchPath.named(to, name);
        Catalog catalog = transaction.catalog();
        if (!from.equals(to)
                && (catalog.holds(to, name)
                        || ConstraintBinder.isIndex(catalog, to, name)
                        || catalog.external(path) != null
                        || catalog.graph(path) != null)) {
            throw taken(move, name);
        }
    }

    private SqlException taken(SchemaStatement.Move move, String name) {
        return source.error(
                Kind.DUPLICATE_NAME,
                move.to().position(),
                "Schema \"" + move.to().name() + "\" has a \"" + name + "\" already: rename one");
    }
}

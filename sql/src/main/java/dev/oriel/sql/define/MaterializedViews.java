package dev.oriel.sql.define;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.TableExpressions;
import dev.oriel.sql.bind.Views;
import dev.oriel.sql.change.Change;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.planner.AccessPlanner;
import dev.oriel.sql.syntax.Alteration;
import dev.oriel.sql.syntax.MaterializedStatement;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.MaterializedView;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Runs CREATE, REFRESH, ALTER and DROP of materialized views. Each is a table with a query: a refresh replaces the
/// rows within its transaction, so readers see the old ones until the commit.
final class MaterializedViews {
    private final SqlText source;
    private final Execution execution;
    private final TableTransaction transaction;

    /// The definitions before the statement.
    private final Catalog former;

    private final Definitions definitions;

    MaterializedViews(SqlText source, Execution execution, Definitions definitions) {
        this.source = source;
        this.execution = execution;
        this.transaction = execution.transaction();
        this.former = transaction.catalog();
        this.definitions = definitions;
    }

    /// Runs `statement`; returns the number of rows written.
    long run(MaterializedStatement statement) {
        switch (statement) {
            case MaterializedStatement.Create create -> {
                return create(create);
            }
            case MaterializedStatement.Refresh refresh -> refresh(refresh);
            case MaterializedStatement.Alter alter -> {
                if (view(alter.name(), alter.ifExists()) != null) {
                    definitions.run(alter.change());
                }
            }
            case MaterializedStatement.Drop drop -> drop(drop);
        }
        return 0;
    }

    private Catalog catalog() {
        return transaction.catalog();
    }

    private long create(MaterializedStatement.Create create) {
        Statement.CreateView view = create.view();
        Identifier name = view.name();
        String schema = definitions.schema(name, false);
        if (Catalog.isTemporary(schema) || Views.readsTemporary(source, catalog(), view)) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    name.position(),
                    "A materialized view outlives its session, and reads no temporary tables: make"
                            + " it a table");
        }
        if (definitions.exists(name, view.ifNotExists(), schema)) {
            return 0;
        }
        View query = Views.of(source, catalog(), view, 0).withSchema(schema);
        List<Column> columns = new ArrayList<>();
        for (Column column : Views.columns(catalog(), query)) {
            Type stored = InlineTypes.stored(Typing.stored(column.type()), transaction);
            columns.add(new Column(column.name(), stored, true));
        }
        Table table =
                transaction.create(
                        new Table(0, name.name(), columns, List.of(), List.of())
                                .withSchema(schema));
        boolean populated = !create.empty();
        transaction.create(
                new MaterializedView(0, table.id(), query.reads(), query.query(), populated));
        return populated ? fill(table, query) : 0;
    }

    private long fill(Table table, View query) {
        return QueryTables.fill(table, Views.filling(source, catalog(), query), execution);
    }

    private void refresh(MaterializedStatement.Refresh refresh) {
        Table table = found(refresh.name());
        MaterializedView view = catalog().materialized(table.id());
        if (view == null) {
            throw new IllegalStateException("a materialized view without a query");
        }
        if (refresh.concurrently()) {
            checkConcurrent(refresh.name(), table, view);
            Plan.Scan scan =
                    AccessPlanner.choose(
                                    TableExpressions.estimate(_ -> null), table, null, List.of())
                            .scan();
            Change.delete(new Command.Delete(table, scan, null, null, null), execution);
            execution.reset();
        } else {
            transaction.truncate(List.of(table));
        }
        boolean populated = !refresh.empty();
        if (view.populated() != populated) {
            transaction.create(view.withPopulated(populated));
        }
        if (populated) {
            Table emptied = found(refresh.name());
            fill(emptied, view.asView(emptied));
        }
    }

    /// Checks, as PostgreSQL does, that a unique index on columns covers all rows.
    private void checkConcurrent(Identifier name, Table table, MaterializedView view) {
        if (!view.populated()) {
            throw source.error(
                    Kind.OBJECT_STATE,
                    name.position(),
                    "Materialized view \""
                            + table.name()
                            + "\" has not been filled: REFRESH it without CONCURRENTLY first");
        }
        for (Index index : table.indexes()) {
            if (index.unique() && index.terms() == null) {
                return;
            }
        }
        throw source.error(
                Kind.OBJECT_STATE,
                name.position(),
                "CONCURRENTLY needs a unique index on columns of \""
                        + table.name()
                        + "\", without WHERE: create one, or leave out CONCURRENTLY");
    }

    private void drop(MaterializedStatement.Drop drop) {
        Set<Table> tables = new LinkedHashSet<>();
        for (Identifier name : drop.names()) {
            Table table = view(name, drop.ifExists());
            if (table != null) {
                tables.add(table);
            }
        }
        tables.forEach(transaction::drop);
        Views.check(source, drop.name().position(), transaction, former, drop.cascade());
    }

    private Table found(Identifier name) {
        Table table = view(name, false);
        if (table == null) {
            throw new IllegalStateException("a missing view was not refused");
        }
        return table;
    }

    /// The rows of the materialized view `name`; null if there is none and `ifExists`.
    private @Nullable Table view(Identifier name, boolean ifExists) {
        Catalog catalog = catalog();
        Table table = catalog.table(name.path());
        boolean other = catalog.view(name.path()) != null;
        if (table != null && catalog.materialized(table.id()) != null) {
            return table;
        } else if (table != null || other || !ifExists) {
            throw unknown(name, table != null || other);
        }
        return null;
    }

    /// Checks that only names are changed if `table` is a materialized view.
    static void checkAlterable(
            SqlText source, Catalog catalog, Table table, Statement.AlterTable alter) {
        boolean materialized = catalog.materialized(table.id()) != null;
        for (Alteration change : alter.changes()) {
            boolean renames =
                    change instanceof Alteration.RenameTo
                            || change instanceof Alteration.RenameColumn;
            if (materialized && !renames) {
                throw source.error(
                        Kind.WRONG_OBJECT,
                        alter.table().position(),
                        "\""
                                + table.name()
                                + "\" is a materialized view, of which only names can be changed;"
                                + " drop it, and create another");
            }
        }
    }

    private SqlException unknown(Identifier name, boolean other) {
        List<String> names = new ArrayList<>();
        for (Table table : catalog().tables()) {
            if (catalog().materialized(table.id()) != null) {
                names.add(table.name());
            }
        }
        return source.error(
                other ? Kind.WRONG_OBJECT : Kind.UNKNOWN_TABLE,
                name.position(),
                "There is no materialized view \""
                        + name.text()
                        + "\""
                        + Nearest.hint(name.name(), names));
    }
}

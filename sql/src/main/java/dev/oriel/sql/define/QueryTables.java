package dev.oriel.sql.define;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.BindContext;
import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.bind.FromBinder;
import dev.oriel.sql.bind.QueryBinder;
import dev.oriel.sql.change.Change;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.ParameterTypes;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Fills tables with the rows of queries.
final class QueryTables {
    private final SqlText source;
    private final Execution execution;
    private final TableTransaction transaction;
    private final Catalog catalog;
    private final Definitions definitions;

    QueryTables(SqlText source, Execution execution, Definitions definitions) {
        this.source = source;
        this.execution = execution;
        this.transaction = execution.transaction();
        this.catalog = transaction.catalog();
        this.definitions = definitions;
    }

    /// Runs CREATE TABLE ... AS; returns the number of rows.
    ///
    /// @param parameters types of the statement's parameters
    long create(Statement.CreateTableAs create, List<Type> parameters) {
        String schema = definitions.schema(create.table(), create.temporary() != null);
        if (definitions.exists(create.table(), create.ifNotExists(), schema)) {
            return 0;
        }
        ParameterTypes types = new ParameterTypes(parameters.size());
        for (int i = 0; i < parameters.size(); i++) {
            types.reference(i, parameters.get(i));
        }
        BindContext around = BindContext.of(source, catalog, types);
        if (create.declared() != null) {
            return fill(create, create.declared(), around, types);
        }
        BoundQuery query = new QueryBinder(around).bind(create.query(), List.of());
        List<Column> columns = new ArrayList<>();
        List<Column> named =
                FromBinder.renamed(source, create.table(), create.columns(), query.asTable());
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (Column column : named) {
            if (!names.add(column.name())) {
                throw source.error(
                        Kind.DUPLICATE_COLUMN,
                        create.table().position(),
                        "Two columns of the query are called \""
                                + column.name()
                                + "\": give one of them another name");
            }
            Type stored = InlineTypes.stored(Typing.stored(column.type()), transaction);
            columns.add(new Column(column.name(), stored, true));
        }
        Table table =
                transaction.create(
                        new Table(0, create.table().name(), columns, List.of(), List.of())
                                .withSchema(schema));
        if (create.empty()) {
            return 0;
        }
        around.checkRead();
        return fill(table, query, execution);
    }

    /// Creates a table with declared columns, and inserts the rows of the query, which sees the tables of before; returns
    /// their number.
    private long fill(
            Statement.CreateTableAs create,
            Statement.CreateTable declared,
            BindContext before,
            ParameterTypes types) {
        definitions.createTable(declared);
        if (create.empty()) {
            return 0;
        }
        Statement.Insert insert =
                new Statement.Insert(
                        create.position(),
                        create.table(),
                        null,
                        List.of(),
                        Statement.Overriding.NONE,
                        new Statement.InsertSource.OfQuery(create.query()),
                        null,
                        List.of());
        BindContext around = BindContext.of(source, transaction.catalog(), types);
        Change change = Change.of(Compiler.insert(around, before, insert), execution, null);
        if (change == null) {
            throw new IllegalStateException("an INSERT is a change");
        }
        before.checkRead();
        long rows = change.run();
        execution.reset();
        return rows;
    }

    /// Inserts the rows of `query` into `table`; returns their number.
    static long fill(Table table, BoundQuery query, Execution execution) {
        List<Scalar> values = new ArrayList<>();
        for (Column column : table.columns()) {
            values.add(new Scalar.ColumnRef(values.size(), column.type(), true, column.name()));
        }
        long made =
                Change.insert(
                        new Command.InsertQuery(table, query.plan(), values, null, List.of(), null),
                        execution);
        execution.reset();
        return made;
    }
}

package dev.oriel.sql;

import dev.oriel.profiler.Probe;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.table.Catalog;
import dev.oriel.table.Column;
import dev.oriel.table.Table;
import dev.oriel.table.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// From text to command: parses, binds and plans against one catalog.
final class Compiler {
    private static final Probe PLAN = Probe.of(Compiler.class, "plan");

    private final SqlText source;
    private final Catalog catalog;
    private final ParameterTypes parameters;
    private final Surroundings around;

    private Compiler(SqlText source, Catalog catalog, ComputedTables computed, int parameters) {
        this.source = source;
        this.catalog = catalog;
        this.parameters = new ParameterTypes(parameters);
        this.around = Surroundings.of(source, catalog, computed, this.parameters);
    }

    /// A statement that is ready to run for as long as `catalog` is the current one.
    ///
    /// @param fingerprint which kind of statement it is
    record Compiled(
            SqlText source,
            Catalog catalog,
            Command command,
            List<Type> parameters,
            long fingerprint) {
        /// The same with another command.
        Compiled of(Command other) {
            return new Compiled(source, catalog, other, parameters, fingerprint);
        }

        /// The columns of its rows; empty where it returns none.
        List<Prepared.OutputColumn> columns() {
            return switch (command) {
                case Command.Query query -> query.columns();
                case Command.Explain explain -> explain.columns();
                case Command.InsertRows insert -> List.of();
                case Command.InsertQuery insert -> List.of();
                case Command.Update update -> List.of();
                case Command.Delete delete -> List.of();
                case Command.Definition definition -> List.of();
                case Command.Control control -> List.of();
            };
        }
    }

    /// Compiles `text`.
    ///
    /// @throws SqlException if it cannot be understood
    static Compiled compile(String text, Catalog catalog) {
        return compile(text, catalog, new ComputedTables());
    }

    /// The same where there are computed tables too.
    static Compiled compile(String text, Catalog catalog, ComputedTables computed) {
        SqlText source = new SqlText(text);
        Parser.Parsed parsed = Parser.parse(source);
        long entered = PLAN.enter();
        try {
            Compiler compiler = new Compiler(source, catalog, computed, parsed.parameters());
            Command command = compiler.command(parsed.statement());
            return new Compiled(
                    source, catalog, command, compiler.parameters.all(), parsed.fingerprint());
        } finally {
            PLAN.exit(entered);
        }
    }

    private Command command(Statement statement) {
        return switch (statement) {
            case Statement.Query query -> query(query);
            case Statement.Insert insert -> insert(insert);
            case Statement.Update update -> update(update);
            case Statement.Delete delete -> delete(delete);
            case Statement.CreateTable create -> new Command.Definition(create);
            case Statement.DropTable drop -> new Command.Definition(drop);
            case Statement.CreateIndex create -> new Command.Definition(create);
            case Statement.DropIndex drop -> new Command.Definition(drop);
            case Statement.Truncate truncate -> new Command.Definition(truncate);
            case Statement.Begin begin -> new Command.Control(begin);
            case Statement.Commit commit -> new Command.Control(commit);
            case Statement.Rollback rollback -> new Command.Control(rollback);
            case Statement.Savepoint savepoint -> new Command.Control(savepoint);
            case Statement.RollbackTo rollback -> new Command.Control(rollback);
            case Statement.Release release -> new Command.Control(release);
            case Statement.Explain explain ->
                    new Command.Explain(
                            explained(explain),
                            explain.options(),
                            List.of(new Prepared.OutputColumn("plan", Typing.TEXT, false, "")));
        };
    }

    private Command explained(Statement.Explain explain) {
        Command command = command(explain.statement());
        if (explain.options().analyze()
                && (command instanceof Command.Control || command instanceof Command.Definition)) {
            throw source.error(
                    Kind.WRONG_STATEMENT_KIND,
                    explain.statement().position(),
                    "Only queries and changes of rows can be analyzed");
        }
        return command;
    }

    private Command query(Statement.Query query) {
        BoundQuery bound = new QueryBinder(around).bind(query, List.of());
        return new Command.Query(bound.plan(), bound.columns());
    }

    private Command insert(Statement.Insert insert) {
        Table table = SelectBinder.table(source, catalog, insert.table());
        List<Integer> targets = targets(table, insert.columns());
        return switch (insert.source()) {
            case Statement.InsertSource.Rows rows -> insertRows(table, targets, rows.rows());
            case Statement.InsertSource.OfQuery query -> insertQuery(table, targets, query.query());
        };
    }

    /// Positions of the columns that an INSERT lists.
    private List<Integer> targets(Table table, List<Statement.Identifier> names) {
        List<Integer> targets = new ArrayList<>();
        if (names.isEmpty()) {
            for (int i = 0; i < table.columns().size(); i++) {
                targets.add(i);
            }
        }
        Set<Integer> seen = new HashSet<>();
        for (Statement.Identifier name : names) {
            int column = column(source, table, name);
            if (!seen.add(column)) {
                throw listedTwice(name);
            }
            targets.add(column);
        }
        return targets;
    }

    private SqlException listedTwice(Statement.Identifier name) {
        return source.error(
                Kind.DUPLICATE_NAME,
                name.position(),
                "Column \"" + name.name() + "\" is given twice");
    }

    /// Position of the column `name` of `table`.
    static int column(SqlText source, Table table, Statement.Identifier name) {
        int column = table.column(name.name());
        if (column < 0) {
            List<String> names = table.columns().stream().map(Column::name).toList();
            throw source.error(
                    Kind.UNKNOWN_COLUMN,
                    name.position(),
                    "Table \""
                            + table.name()
                            + "\" has no column \""
                            + name.name()
                            + "\""
                            + Nearest.hint(name.name(), names));
        }
        return column;
    }

    private Command insertRows(Table table, List<Integer> targets, List<Statement.Values> rows) {
        ScalarBinder binder = new ScalarBinder(around, Scope.EMPTY);
        List<List<Scalar>> bound = new ArrayList<>();
        for (Statement.Values row : rows) {
            checkCount(targets.size(), row.expressions().size(), row.position());
            @Nullable Scalar[] values = new @Nullable Scalar[table.columns().size()];
            for (int i = 0; i < targets.size(); i++) {
                Column column = table.columns().get(targets.get(i));
                values[targets.get(i)] =
                        binder.assign(row.expressions().get(i), column.type(), what(column));
            }
            bound.add(filled(table, values));
        }
        return new Command.InsertRows(table, List.copyOf(bound));
    }

    private void checkCount(int columns, int values, int position) {
        if (columns != values) {
            throw source.error(
                    Kind.SYNTAX,
                    position,
                    (values == 1 ? "There is " : "There are ")
                            + values
                            + (values == 1 ? " value for " : " values for ")
                            + columns
                            + (columns == 1 ? " column" : " columns"));
        }
    }

    private static String what(Column column) {
        return "Column \"" + column.name() + "\"";
    }

    /// `values` with NULL where there is none.
    private static List<Scalar> filled(Table table, @Nullable Scalar[] values) {
        List<Scalar> filled = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            Scalar value = values[i];
            filled.add(
                    value == null ? Scalar.Constant.ofNull(table.columns().get(i).type()) : value);
        }
        return List.copyOf(filled);
    }

    private Command insertQuery(Table table, List<Integer> targets, Statement.Query query) {
        List<Type> expected = new ArrayList<>();
        targets.forEach(target -> expected.add(table.columns().get(target).type()));
        BoundQuery bound = new QueryBinder(around).bind(query, expected);
        checkCount(targets.size(), bound.columns().size(), query.position());
        @Nullable Scalar[] values = new @Nullable Scalar[table.columns().size()];
        for (int i = 0; i < bound.columns().size(); i++) {
            Column column = table.columns().get(targets.get(i));
            Prepared.OutputColumn output = bound.columns().get(i);
            Scalar read = new Scalar.ColumnRef(i, output.type(), output.nullable(), output.name());
            values[targets.get(i)] =
                    ScalarBinder.assigned(
                            read, column.type(), source.at(query.position()), what(column));
        }
        return new Command.InsertQuery(table, bound.plan(), filled(table, values));
    }

    private Command update(Statement.Update update) {
        Table table = SelectBinder.table(source, catalog, update.table());
        ScalarBinder binder = binder(table, update.table(), update.alias());
        List<Command.Assignment> assignments = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        for (Statement.Assignment assignment : update.assignments()) {
            int column = column(source, table, assignment.column());
            if (!seen.add(column)) {
                throw listedTwice(assignment.column());
            }
            Column target = table.columns().get(column);
            Scalar value = binder.assign(assignment.value(), target.type(), what(target));
            assignments.add(new Command.Assignment(column, value));
        }
        AccessPlanner.Access access = access(table, binder, update.where());
        return new Command.Update(table, access.scan(), access.filter(), List.copyOf(assignments));
    }

    private Command delete(Statement.Delete delete) {
        Table table = SelectBinder.table(source, catalog, delete.table());
        ScalarBinder binder = binder(table, delete.table(), delete.alias());
        AccessPlanner.Access access = access(table, binder, delete.where());
        return new Command.Delete(table, access.scan(), access.filter());
    }

    private ScalarBinder binder(
            Table table, Statement.Identifier name, Statement.@Nullable Identifier alias) {
        Scope scope = Scope.of(table, alias == null ? name.name() : alias.name());
        return new ScalarBinder(around, scope);
    }

    private static AccessPlanner.Access access(
            Table table, ScalarBinder binder, @Nullable Expression where) {
        Scalar condition = where == null ? null : binder.condition(where, "WHERE");
        return AccessPlanner.choose(table, condition, List.of());
    }
}

package dev.oriel.sql.bind;

import dev.oriel.profiler.Probe;
import dev.oriel.profiler.Profile;
import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.LargeStack;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.ExtractedLiterals;
import dev.oriel.sql.plan.LiteralBindings;
import dev.oriel.sql.plan.ParameterTypes;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.planner.Estimate;
import dev.oriel.sql.planner.PlanCardinalities;
import dev.oriel.sql.planner.PlanText;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.TokenReader;
import dev.oriel.sql.syntax.UserTypes;
import dev.oriel.sql.text.Lexer;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.Nesting;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.Token;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.View;
import dev.oriel.table.statistics.Statistics;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Compiles text to a command: parses, binds and plans against one catalog.
public final class Compiler {
    private static final Probe PLAN = Probe.of(Compiler.class, "plan");

    private final BindContext around;

    private Compiler(SqlText source, Known known, ParameterTypes parameters, Estimate estimate) {
        this(BindContext.of(source, known.catalog(), known.computed(), parameters, estimate));
    }

    private Compiler(BindContext around) {
        this.around = around;
    }

    /// The command for a statement of a body.
    static Command command(BindContext around, Statement statement) {
        return new Compiler(around).command(statement);
    }

    /// Input of the compiler.
    ///
    /// @param tokens tokens of `source`
    /// @param keys columns that a change without RETURNING returns; if empty, its generated ones. Null to return
    ///     nothing
    /// @param given types of the values of the first parameters; null if their context decides
    public record Request(
            SqlText source,
            List<Token> tokens,
            @Nullable List<String> keys,
            List<@Nullable Type> given) {}

    /// Environment of the compiler.
    ///
    /// @param statistics statistics of tables; null if there are none
    public record Known(
            Catalog catalog, ComputedTables computed, @Nullable Statistics statistics) {}

    /// A compiled statement, valid while `catalog` is current.
    ///
    /// @param fingerprint identifies the kind of statement
    /// @param returnsBySelf whether the statement itself has a RETURNING clause
    /// @param basis cardinalities that the plan depends on; null if it depends on none
    /// @param literals values for a shared plan; null if the plan is not shared
    /// @param plain whether it is a query that calls no function
    public record Compiled(
            SqlText source,
            Catalog catalog,
            Command command,
            List<Type> parameters,
            long fingerprint,
            boolean returnsBySelf,
            @Nullable PlanCardinalities basis,
            @Nullable LiteralBindings literals,
            boolean plain) {
        /// This statement with another command.
        public Compiled of(Command other) {
            return new Compiled(
                    source,
                    catalog,
                    other,
                    parameters,
                    fingerprint,
                    returnsBySelf,
                    basis,
                    literals,
                    plain);
        }

        /// This plan for another statement, with the literals `given`.
        Compiled of(SqlText text, LiteralBindings given) {
            return new Compiled(
                    text,
                    catalog,
                    command,
                    parameters,
                    fingerprint,
                    returnsBySelf,
                    basis,
                    given,
                    plain);
        }

        /// `failure` of a run, with its position in this statement's text.
        public SqlException placed(SqlException failure) {
            return literals == null ? failure : literals.placed(failure, source);
        }

        /// Whether a plan is valid under `current`.
        public boolean isGoodFor(Catalog current) {
            return catalog.version() == current.version()
                    && catalog.path().equals(current.path())
                    && (basis == null || basis.holds());
        }

        /// Result columns; empty if it returns no rows.
        public List<Prepared.OutputColumn> columns() {
            return columns(command);
        }

        static List<Prepared.OutputColumn> columns(Command command) {
            return switch (command) {
                case Command.Query query -> query.columns();
                case Command.Explain explain -> explain.columns();
                case Command.LockingQuery query -> query.columns();
                case Command.RowChange change ->
                        change.returning() == null ? List.of() : change.returning().columns();
                case Command.CopyTo copy -> List.of();
                case Command.Definition definition -> List.of();
                case Command.Control control -> List.of();
                case Command.Chain chain -> columns(chain.last());
                case Command.Block block -> block.columns();
            };
        }
    }

    /// Compiles `text`.
    ///
    /// @throws SqlException if it has an error
    public static Compiled compile(String text, Catalog catalog) {
        SqlText source = new SqlText(text);
        return compile(
                new Request(source, Lexer.tokens(source), null, List.of()),
                new Known(catalog, new ComputedTables(), null));
    }

    /// Binds an INSERT within a definition.
    ///
    /// @param reading binds its query
    /// @throws SqlException if it has an error
    public static Command.RowChange insert(
            BindContext around, BindContext reading, Statement.Insert insert) {
        return new ChangeBinder(around, reading).bind(insert);
    }

    /// Compiles `request`.
    ///
    /// @throws SqlException if it has an error
    public static Compiled compile(Request request, Known known) {
        return compiled(request, known, null);
    }

    /// The plan of `exact`, compiled from `request`, for all statements that differ only in literals. Null if the
    /// plan would differ, or there are no such literals.
    ///
    /// @throws SqlException if it cannot be compiled without them
    public static @Nullable PlanTemplate template(Request request, Known known, Compiled exact) {
        List<ExtractedLiterals> taken = new ArrayList<>();
        Compiled general = compiled(request, known, taken);
        return LargeStack.call(
                Nesting.isDeep(request.tokens()),
                () ->
                        PlanTemplate.of(
                                request, general, exact, taken.getFirst(), known.statistics()));
    }

    /// @param taken gets the extracted literals; null to extract none
    private static Compiled compiled(
            Request request, Known known, @Nullable List<ExtractedLiterals> taken) {
        try {
            return LargeStack.call(
                    Nesting.isDeep(request.tokens()),
                    () -> {
                        if (taken != null) {
                            taken.clear(); // from an earlier run with too small a stack
                        }
                        return new Parsing(request, known).compiled(taken);
                    });
        } catch (StackOverflowError deep) {
            // Safe to catch: all state of parser and binder belongs to this call.
            throw request.source()
                    .error(
                            Kind.TOO_COMPLEX,
                            0,
                            "The statement is nested too deep; nest it less, or name parts of it in"
                                    + " WITH or views");
        }
    }

    private record Parsing(Request request, Known known) {
        Compiled compiled(@Nullable List<ExtractedLiterals> taken) {
            ComputedTables computed = known.computed();
            Parser.Parsed parsed =
                    Parser.parse(
                            new TokenReader(
                                    request.source(),
                                    request.tokens(),
                                    UserTypes.of(known.catalog()),
                                    request.given()),
                            name -> computed.aggregate(name) != null);
            Statement statement = parsed.statement();
            boolean bySelf =
                    statement instanceof Statement.RowChange change
                            && !change.returning().isEmpty();
            List<String> keys = request.keys();
            if (keys != null
                    && statement instanceof Statement.RowChange change
                    && !(statement instanceof Statement.CopyFrom)
                    && change.returning().isEmpty()) {
                statement = change.withReturning(items(change, keys, known.catalog()));
            }
            long entered = PLAN.enter();
            try {
                return planned(statement, parsed, bySelf, taken);
            } finally {
                PLAN.exit(entered);
            }
        }

        private Compiled planned(
                Statement statement,
                Parser.Parsed parsed,
                boolean bySelf,
                @Nullable List<ExtractedLiterals> taken) {
            Statistics statistics = known.statistics();
            long version = statistics == null ? 0 : statistics.version();
            Estimate estimate =
                    TableExpressions.estimate(statistics == null ? table -> null : statistics::of);
            if (statement instanceof Statement.Explain explain && explain.options().verbose()) {
                estimate.takeNotes();
            }
            ExtractedLiterals literals = null;
            if (taken != null) {
                literals = new ExtractedLiterals(statement, request.tokens());
                taken.add(literals);
            }
            ParameterTypes parameters = new ParameterTypes(parsed.parameters(), literals);
            Compiler compiler = new Compiler(request.source(), known, parameters, estimate);
            Command command = compiler.command(statement);
            if (!(statement instanceof Statement.Explain explain && !explain.options().analyze())) {
                compiler.around.checkRead();
            }
            return new Compiled(
                    request.source(),
                    known.catalog(),
                    command,
                    parameters.all(),
                    parsed.fingerprint(),
                    bySelf,
                    statistics == null
                            ? null
                            : PlanCardinalities.of(statistics, version, estimate.found()),
                    null,
                    command instanceof Command.Query query && PlanParts.isPlain(query.plan()));
        }
    }

    private static List<Statement.Item> items(
            Statement.RowChange change, List<String> keys, Catalog catalog) {
        int position = change.position();
        String called = called(change); // qualifier, as a joined table may have the same column
        Table table = catalog.table(change.table().path());
        View view = catalog.view(change.table().path());
        ChangedRelation changed =
                table != null
                        ? ChangedRelation.of(table)
                        : view == null ? null : UpdatableViews.of(catalog).find(view);
        List<Statement.Item> items = new ArrayList<>();
        for (String key : keys.isEmpty() ? keys(changed) : keys) {
            Expression name = new Expression.Name(position, called, named(key, changed));
            items.add(new Statement.Item.Value(name, null));
        }
        return items.isEmpty() ? List.of(new Statement.Item.Star(position, called)) : items;
    }

    /// Name of the target table within `change`.
    private static String called(Statement.RowChange change) {
        if (change instanceof Statement.WithChange with) {
            return called(with.change());
        }
        Statement.Identifier alias =
                switch (change) {
                    case Statement.Insert insert -> insert.alias();
                    case Statement.Update update -> update.alias();
                    case Statement.Delete delete -> delete.alias();
                    case Statement.Merge merge -> merge.alias();
                    case Statement.WithChange _, Statement.CopyFrom _ -> null;
                };
        return alias == null ? change.table().name() : alias.name();
    }

    /// The column named `key`: `#2` is the second, unless a column has that name.
    private static String named(String key, @Nullable ChangedRelation changed) {
        if (changed == null
                || !key.matches("#[0-9]{1,6}")
                || changed.columns().stream().anyMatch(c -> c.name().equalsIgnoreCase(key))) {
            return key;
        }
        int at = Integer.parseInt(key.substring(1)) - 1;
        boolean exists = at >= 0 && at < changed.columns().size();
        return exists ? changed.columns().get(at).name() : key;
    }

    /// Generated columns of a table, under their names in the relation: its identity columns, else its primary key.
    private static List<String> keys(@Nullable ChangedRelation changed) {
        List<String> keys = new ArrayList<>();
        if (changed == null) {
            return keys;
        }
        Table table = changed.table();
        for (int i = 0; i < table.columns().size(); i++) {
            if (table.columns().get(i).filling() instanceof ColumnDefault.Identity) {
                keys.addAll(changed.names(i));
            }
        }
        if (keys.isEmpty()) {
            table.primaryKey().forEach(i -> keys.addAll(changed.names(i)));
        }
        return keys;
    }

    private Command command(Statement statement) {
        if (statement instanceof Statement.Select select && select.from() == null) {
            around.binding().numbers().running(BindContext.Running.QUERY);
        } else if (statement instanceof Statement.Insert insert
                && insert.source() instanceof Statement.InsertSource.Rows) {
            around.binding().numbers().running(BindContext.Running.CHANGE);
        }
        return switch (statement) {
            case Statement.Locking locking -> new LockingBinder(around).bind(locking);
            case Statement.With with when Statement.changesRows(with.tables()) ->
                    new WithChangesBinder(around, with.recursive(), with.tables())
                            .bind(with.query());
            case Statement.WithChange with when Statement.changesRows(with.tables()) ->
                    new WithChangesBinder(around, with.recursive(), with.tables())
                            .bind(with.change());
            case Statement.Query query -> {
                Command.Block call =
                        around.binding().catalog().hasProcedures()
                                ? new ProcedureCalls(around).bind(query)
                                : null;
                yield call == null ? query(query) : call;
            }
            case Statement.Block block ->
                    new Command.Block(null, block.text(), List.of(), List.of(), List.of());
            case Statement.RowChange change -> new ChangeBinder(around).bind(change);
            case Statement.CopyTo copy -> new CopyBinder(around).to(copy);
            case Statement.Definition definition -> definition(definition);
            case Statement.Control control -> new Command.Control(control);
            case Statement.Explain explain -> {
                if (explain.options().analyze() && explain.options().profile()) {
                    Profile.prepare(); // while the statement is planned
                }
                long begun = System.nanoTime();
                Command command = explained(explain);
                long planningNanos = System.nanoTime() - begun;
                yield new Command.Explain(
                        command,
                        explain.options(),
                        around.estimate().notes(PlanText.lines(command)),
                        planningNanos,
                        List.of(new Prepared.OutputColumn("plan", Typing.TEXT, false, "")));
            }
        };
    }

    private Command definition(Statement.Definition definition) {
        ParameterTypes parameters = around.binding().parameters();
        Statement.Definition created =
                definition instanceof Statement.ReplaceTable both ? both.create() : definition;
        if (parameters.count() > 0 && created instanceof Statement.CreateTableAs create) {
            // The query is bound again when it runs; here it gives the parameters their types.
            new QueryBinder(around).bind(create.query(), List.of());
        }
        return new Command.Definition(definition, parameters.all());
    }

    private Command explained(Statement.Explain explain) {
        Command command = command(explain.statement());
        if (explain.options().analyze()
                && (command instanceof Command.Control || command instanceof Command.Definition)) {
            throw around.source()
                    .error(
                            Kind.WRONG_STATEMENT_KIND,
                            explain.statement().position(),
                            "Only queries and changes of rows can be analyzed");
        }
        return command;
    }

    private Command query(Statement.Query query) {
        BoundQuery bound = new QueryBinder(around).bind(query, List.of());
        return around.binding().numbers().hasRun()
                ? new Command.LockingQuery(bound.plan(), bound.columns())
                : new Command.Query(bound.plan(), bound.columns());
    }

    /// Position of the column `name` of `table`.
    public static int column(SqlText source, Table table, Statement.Identifier name) {
        int column = table.column(name.name());
        if (column < 0) {
            throw unknown(source, "Table \"" + table.name() + "\"", table.columns(), name);
        }
        return column;
    }

    /// The error that the relation `of` has no column `name`.
    static SqlException unknown(
            SqlText source, String of, List<Column> columns, Statement.Identifier name) {
        List<String> names = columns.stream().map(Column::name).toList();
        return source.error(
                Kind.UNKNOWN_COLUMN,
                name.position(),
                of + " has no column \"" + name.name() + "\"" + Nearest.hint(name.name(), names));
    }
}

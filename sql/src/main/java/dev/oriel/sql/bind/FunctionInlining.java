package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.cancel.LargeStack;
import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Conditional;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.Correlation;
import dev.oriel.sql.plan.Folding;
import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.ParameterTypes;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Replacement;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.Subquery;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.planner.PushDown;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.UserTypes;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Replaces a call of a function of SQL by its body.
///
/// An expression takes the arguments in place of its parameters, unless that would evaluate an argument twice. Any
/// other body is a subquery with the arguments of the call as its only outer references. They are evaluated once for
/// each call.
final class FunctionInlining {
    /// Limit of the calls in one statement, as calls within bodies may double with each level.
    private static final int CALLS_MAX = 10_000;

    /// Limit of the nesting of calls.
    private static final int DEPTH_MAX = 500;

    /// Maximum number of parts of an argument that is evaluated twice rather than kept.
    private static final int REPEATED_PARTS_MAX = 8;

    private final ScalarBinder scalars;
    private final BindContext.Binding outer;
    private final SqlFunction function;
    private final Place place;
    private final SqlText text;
    private final Catalog seen;

    /// @param place of the call
    FunctionInlining(ScalarBinder scalars, SqlFunction function, Place place) {
        this.scalars = scalars;
        this.outer = scalars.around().binding();
        this.function = function;
        this.place = place;
        this.text = new SqlText(function.body().text(), function.name());
        this.seen = outer.catalog().seenBy(function.searched());
    }

    /// The rows of a function in FROM.
    ///
    /// @param lateral arguments that read earlier tables; null if there are none
    record Rows(BoundQuery query, BoundFrom.@Nullable Lateral lateral) {}

    /// The value of `call`.
    Scalar value(Expression.Call call) {
        if (call.distinct() || call.star() || call.extras() != null) {
            throw place.error(
                    Kind.WRONG_OBJECT,
                    function.name()
                            + " is not an aggregate: it takes neither DISTINCT, \"*\", FILTER nor"
                            + " ORDER BY");
        } else if (function.returnsSet()) {
            throw place.error(
                    Kind.NOT_SUPPORTED,
                    "Function \""
                            + function.name()
                            + "\" returns rows, and stands in FROM only: SELECT ... FROM "
                            + function.name()
                            + "(...)");
        }
        List<Scalar> given = arguments(scalars, call.arguments());
        return function.runs() ? run(given) : deeply(() -> value(given));
    }

    /// A call that runs statements.
    private Scalar run(List<Scalar> given) {
        BindContext.Running running = outer.numbers().running();
        boolean outermost =
                outer.depth() == 0
                        && scalars.scope().relations().isEmpty()
                        && (scalars.around().correlation() == null
                                || scalars.around().correlation().isOfBody());
        if (running == BindContext.Running.NONE || !outermost) {
            throw place.error(
                    Kind.NOT_SUPPORTED,
                    "Function \""
                            + function.name()
                            + "\" runs statements and is called by SELECT without FROM or by"
                            + " INSERT ... VALUES only");
        }
        outer.numbers().runs();
        boolean unfinished = running == BindContext.Running.CHANGE;
        List<Scalar> arguments = new ArrayList<>();
        arguments.add(
                Scalar.Constant.of(
                        Typing.TEXT, SearchPath.named(function.schema(), function.name())));
        arguments.addAll(given);
        return JsonBinder.call(
                Function.JAVA,
                List.copyOf(arguments),
                function.type(),
                (values, frame) -> frame.call(function, values, unfinished));
    }

    /// The rows of a call in FROM.
    ///
    /// @param arguments of the call, bound by the binder of this object
    /// @param number of the lateral query
    Rows rows(List<Expression> arguments, int number) {
        if (function.runs()) {
            throw place.error(
                    Kind.NOT_SUPPORTED,
                    "Function \""
                            + function.name()
                            + "\" runs statements and is called by SELECT without FROM or by"
                            + " INSERT ... VALUES only");
        }
        List<Scalar> given = arguments(scalars, arguments);
        return deeply(() -> rows(query(), given, number));
    }

    /// Checks that the body of `function` is valid in `catalog`, which has the function.
    static void check(SqlText source, int position, Catalog catalog, SqlFunction function) {
        BindContext around =
                BindContext.of(source, catalog, new ParameterTypes(0))
                        .reading(ViewReads.ofDefinitions());
        ScalarBinder scalars = new ScalarBinder(around, Scope.EMPTY);
        FunctionInlining inlining = new FunctionInlining(scalars, function, source.at(position));
        List<Scalar> given = new ArrayList<>();
        for (int i = 0; i < function.parameters().size(); i++) {
            SqlFunction.Parameter parameter = function.parameters().get(i);
            if (parameter.otherwise() != null) {
                inlining.otherwise(i);
            }
            given.add(new Scalar.Argument(-1, i, parameter.type(), true, parameter.name()));
        }
        if (function.runs()) {
            var _ =
                    Procedures.plan(
                            function, new Compiler.Known(catalog, new ComputedTables(), null));
            return;
        }
        inlining.deeply(() ->
                function.returnsSet()
                        ? inlining.rows(inlining.query(), given, around.nextNumber())
                        : inlining.value(given));
    }

    private <T> T deeply(Supplier<T> work) {
        Cancellation.pollRunning();
        InlinedCall around = outer.inlined();
        if (around != null && around.holds(function)) {
            throw place.error(
                    Kind.NOT_SUPPORTED,
                    "Function \""
                            + function.name()
                            + "\" calls itself; write WITH RECURSIVE in its body instead");
        } else if (outer.depth() > DEPTH_MAX || outer.numbers().inlined() > CALLS_MAX) {
            throw place.error(
                    Kind.TOO_COMPLEX,
                    "Functions call one another more than "
                            + DEPTH_MAX
                            + " deep or "
                            + CALLS_MAX
                            + " times in one statement; let each function compute more, or use WITH RECURSIVE");
        }
        return LargeStack.call(Views.isDeep(outer.depth() + 1, text), work);
    }

    private Statement.Query query() {
        return FunctionBody.query(text, function, seen, outer.computed());
    }

    /// Context of the body that reads the arguments as `given`.
    private BindContext inside(List<Scalar> given) {
        InlinedCall call = new InlinedCall(function, given, outer.inlined());
        return new BindContext(outer.inside(text, seen, call), null, null);
    }

    private List<Scalar> arguments(ScalarBinder binder, List<Expression> written) {
        @Nullable Expression[] ordered = FunctionArguments.ordered(written, function, binder);
        List<Scalar> given = new ArrayList<>();
        List<String> types = new ArrayList<>();
        boolean fit = true;
        for (int i = 0; i < ordered.length; i++) {
            Expression argument = ordered[i];
            if (argument == null) {
                given.add(otherwise(i));
                continue;
            }
            Type type = function.parameters().get(i).type();
            Scalar bound = binder.bind(argument, type);
            types.add(bound.type().toString());
            fit &= isImplied(bound.type(), type);
            given.add(bound);
        }
        if (!fit) {
            throw FunctionLookup.unfit(binder, function, types, place.position());
        }
        for (int i = 0; i < ordered.length; i++) {
            Expression argument = ordered[i];
            if (argument != null) {
                Place own = binder.source().at(argument.position());
                Type type = function.parameters().get(i).type();
                given.set(i, converted(given.get(i), type, own));
            }
        }
        return List.copyOf(given);
    }

    /// The default of the parameter `position`.
    private Scalar otherwise(int position) {
        SqlFunction.Parameter parameter = function.parameters().get(position);
        SqlText written = new SqlText(String.valueOf(parameter.otherwise()), function.name());
        BindContext inside =
                new BindContext(outer.inside(written, seen, outer.inlined()), null, null);
        Expression expression = Parser.expression(written, UserTypes.of(seen));
        Scalar bound = new ScalarBinder(inside, Scope.EMPTY).bind(expression, parameter.type());
        if (!Typing.assignable(bound.type(), parameter.type())) {
            throw written.error(
                    Kind.TYPE_MISMATCH,
                    expression.position(),
                    "The default is of type "
                            + bound.type()
                            + ", but the parameter is of type "
                            + parameter.type());
        }
        return converted(bound, parameter.type(), written.at(expression.position()));
    }

    /// Whether PostgreSQL converts an argument of type `from` to `to` by itself.
    private static boolean isImplied(Type from, Type to) {
        if (CompositeBinder.is(from) && CompositeBinder.is(to)) {
            return Typing.assignable(from, to);
        }
        Type both = Typing.either(Typing.plain(from), Typing.plain(to));
        boolean texts = Typing.isText(from) && Typing.isText(to);
        return texts || (both != null && Typing.plain(both).equals(Typing.plain(to)));
    }

    private static Scalar converted(Scalar bound, Type type, Place place) {
        boolean same =
                Typing.plain(bound.type()).equals(Typing.plain(type))
                        || (Typing.isText(bound.type())
                                && Typing.isText(type)
                                && Typing.isFolded(bound.type()) == Typing.isFolded(type));
        return same ? bound : Folding.fold(new Conversion(bound, type, false, place));
    }

    /// `bound` as a value of the column `column` of the result.
    private Scalar result(Scalar bound, int column, int position) {
        Type type = function.result().get(column).type();
        if (!Typing.assignable(bound.type(), type)) {
            throw text.error(
                    Kind.FUNCTION_DEFINITION,
                    position,
                    "Function \""
                            + function.name()
                            + "\" returns "
                            + type
                            + ", but its query has "
                            + bound.type()
                            + (column == 0 ? "" : " in column " + (column + 1))
                            + "; cast that, or change RETURNS");
        }
        boolean sized = !type.equals(Typing.plain(type)) && !type.equals(bound.type());
        return sized // an attribute or column, which has a length
                ? Folding.fold(new Conversion(bound, type, false, text.at(position)))
                : converted(bound, type, text.at(position));
    }

    private Scalar value(List<Scalar> given) {
        Statement.Query query = query();
        Expression simple = FunctionBody.expression(query);
        int number = scalars.around().nextNumber();
        List<Scalar> passed = passed(given, number);
        ArgumentBinder binder = binder(passed);
        if (simple == null) {
            return asked(number, rowOf(binder, query, passed, number), given);
        }
        Scalar written =
                CompositeRows.fitted(
                        binder.bind(simple, function.type()),
                        function.type(),
                        text.at(simple.position()));
        Scalar bound = result(written, 0, simple.position());
        Scalar value = strictly(bound, passed);
        return isDirect(bound, binder, given)
                ? direct(value, passed, given)
                : asked(number, row(value), given);
    }

    /// Whether `bound` may have the arguments in place of its parameters: no argument is evaluated more than once,
    /// unless it is cheap. One that is not used is dropped, as in PostgreSQL. An expression with a subquery is not repeated either: two
    /// subqueries are told apart by their positions in one text.
    private boolean isDirect(Scalar bound, ArgumentBinder binder, List<Scalar> given) {
        boolean direct = !PlanParts.hasSubquery(bound);
        for (int i = 0; i < given.size() && direct; i++) {
            Scalar each = given.get(i);
            boolean tested = function.traits().strict() && each.nullable();
            boolean once = !tested && binder.uses(i) == 1;
            boolean dropped = !function.traits().strict() && binder.uses(i) == 0;
            direct = once || dropped || isRepeatable(each);
        }
        return direct;
    }

    private static Scalar direct(Scalar value, List<Scalar> passed, List<Scalar> given) {
        return Replacement.ofNodes(
                value,
                node -> {
                    int at = node instanceof Scalar.Argument ? passed.indexOf(node) : -1;
                    return at < 0 ? null : given.get(at);
                });
    }

    private ArgumentBinder binder(List<Scalar> given) {
        BindContext inside = inside(given);
        return new ArgumentBinder(inside, Objects.requireNonNull(inside.binding().inlined()));
    }

    private static boolean isEffective(Scalar scalar) {
        return PlanParts.isVolatile(scalar) || PlanParts.hasSubquery(scalar);
    }

    private static boolean isRepeatable(Scalar scalar) {
        return !isEffective(scalar) && parts(scalar, REPEATED_PARTS_MAX) <= REPEATED_PARTS_MAX;
    }

    /// Number of parts of `scalar`, counted up to about `most`.
    private static int parts(Scalar scalar, int most) {
        int parts = 1;
        for (Scalar operand : Scalar.operands(scalar)) {
            parts += parts > most ? 0 : parts(operand, most - parts);
        }
        return parts;
    }

    /// `value`, or NULL if an argument of a strict function is NULL.
    private Scalar strictly(Scalar value, List<Scalar> given) {
        List<Scalar> missing = missing(given);
        if (missing.isEmpty()) {
            return value;
        }
        Scalar any =
                missing.size() == 1
                        ? missing.getFirst()
                        : new Condition.Logical(false, List.copyOf(missing));
        Type type = value.type();
        return new Conditional.Case(
                List.of(any), List.of(Scalar.Constant.ofNull(type)), value, type);
    }

    /// For each argument of a strict function that may be NULL, whether it is.
    private List<Scalar> missing(List<Scalar> given) {
        List<Scalar> missing = new ArrayList<>();
        for (Scalar each : given) {
            if (function.traits().strict() && each.nullable()) {
                missing.add(new Condition.IsNull(each, false));
            }
        }
        return missing;
    }

    /// The row of the value of `query`, as the subquery of `number`.
    private Plan rowOf(
            ArgumentBinder binder, Statement.Query query, List<Scalar> passed, int number) {
        if (missing(passed).isEmpty()) {
            return first(binder, query, new Correlation(binder, number, true));
        }
        int inner = scalars.around().nextNumber();
        Correlation correlation = new Correlation(binder, inner, false);
        Plan answer = first(binder, query, correlation);
        Subquery.Nested nested =
                new Subquery.Nested(inner, query.position(), answer, correlation.arguments());
        return row(strictly(new Subquery.OfValue(nested, 0, function.type(), place), passed));
    }

    /// The value by a subquery, which evaluates each argument once.
    private Scalar asked(int number, Plan plan, List<Scalar> given) {
        List<Scalar> arguments = given;
        if (given.isEmpty() && PlanParts.isVolatile(plan)) {
            arguments = List.of(Scalar.Constant.of(true)); // else it would be evaluated once a run
        }
        // Calls of one function with equal arguments are equal, wherever they stand.
        int identity = (int) (-2 - function.id());
        Subquery.Nested nested = new Subquery.Nested(number, identity, plan, arguments);
        return new Subquery.OfValue(nested, 0, function.type(), place);
    }

    private static Plan row(Scalar value) {
        return new Plan.Rows(List.of(List.of(value)), List.of(value.type()));
    }

    /// The arguments as the query of `number` reads them.
    private List<Scalar> passed(List<Scalar> given, int number) {
        List<Scalar> passed = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            Scalar each = given.get(i);
            String name = function.parameters().get(i).name();
            passed.add(
                    each instanceof Scalar.Constant
                            ? each
                            : new Scalar.Argument(
                                    number,
                                    i,
                                    each.type(),
                                    each.nullable(),
                                    name.isEmpty() ? "$" + (i + 1) : name));
        }
        return List.copyOf(passed);
    }

    /// The first row of `query`.
    private Plan first(ArgumentBinder binder, Statement.Query query, Correlation correlation) {
        BoundQuery bound =
                new QueryBinder(binder.around().within(correlation))
                        .bind(query, CompositeRows.expected(function.type(), query));
        Plan plan = projected(bound, query).plan();
        return FunctionBody.isSingle(query)
                ? plan
                : new Plan.Limit(
                        plan,
                        new Plan.Count(Scalar.Constant.of(Typing.BIGINT, 1L), place),
                        null,
                        List.of());
    }

    /// `bound` with the columns of the result.
    private BoundQuery projected(BoundQuery written, Statement.Query query) {
        BoundQuery bound = CompositeRows.fitted(written, function, text.at(query.position()));
        int columns = bound.columns().size();
        if (columns != function.result().size()) {
            throw text.error(
                    Kind.FUNCTION_DEFINITION,
                    query.position(),
                    "Function \""
                            + function.name()
                            + "\" returns "
                            + function.result().size()
                            + (function.result().size() == 1 ? " column" : " columns")
                            + ", but its query has "
                            + columns
                            + "; select as many as RETURNS has");
        }
        List<Scalar> scalars = new ArrayList<>();
        List<Prepared.OutputColumn> outputs = new ArrayList<>();
        List<Boolean> untyped = new ArrayList<>();
        boolean same = true;
        for (int i = 0; i < columns; i++) {
            Prepared.OutputColumn own = bound.columns().get(i);
            Scalar read = new Scalar.ColumnRef(i, own.type(), own.nullable(), own.name());
            Scalar value = result(read, i, query.position());
            same &= value.equals(read);
            scalars.add(value);
            String name = function.result().get(i).name();
            outputs.add(new Prepared.OutputColumn(name, value.type(), true, ""));
            untyped.add(false);
        }
        List<Scalar> all = List.copyOf(scalars);
        return new BoundQuery(
                same ? bound.plan() : new Plan.Project(bound.plan(), all),
                List.copyOf(outputs),
                List.copyOf(untyped),
                same ? bound.replan() : PushDown.projected(bound.replan(), all));
    }

    private Rows rows(Statement.Query query, List<Scalar> given, int number) {
        List<Scalar> passed = passed(given, number);
        ArgumentBinder binder = binder(passed);
        Correlation correlation = new Correlation(binder, number, true);
        List<Type> types = function.result().stream().map(SqlFunction.Result::type).toList();
        BoundQuery bound =
                projected(
                        new QueryBinder(binder.around().within(correlation)).bind(query, types),
                        query);
        List<Scalar> missing = missing(passed);
        if (!missing.isEmpty()) {
            Scalar none = new Condition.Not(new Condition.Logical(false, List.copyOf(missing)));
            bound =
                    new BoundQuery(
                            new Plan.Filter(bound.plan(), none), bound.columns(), bound.untyped());
        }
        if (passed.stream().allMatch(Scalar.Constant.class::isInstance)) {
            return new Rows(bound, null);
        }
        return given.stream().allMatch(Scalar::isRowFree)
                ? new Rows(beside(bound, given, number), null)
                : new Rows(bound, new BoundFrom.Lateral(number, given));
    }

    /// `bound` for arguments that read no table: a join with a row of them, which evaluates each once.
    private BoundQuery beside(BoundQuery bound, List<Scalar> given, int number) {
        List<Type> types = Scalar.types(given);
        List<Scalar> read = columns(types, 0);
        Join row = new Join.Source(0, "arguments", new Plan.Rows(List.of(given), types), null);
        Join body =
                new Join.Source(
                        1, function.name(), bound.plan(), new BoundFrom.Lateral(number, read));
        BitSet used = new BitSet();
        List<Type> own = bound.plan().types();
        used.set(given.size(), given.size() + own.size());
        Plan joined =
                new Plan.Joined(
                        new Join.Loop(row, body, false, List.of(1)), List.of(types, own), used);
        return new BoundQuery(
                new Plan.Project(joined, columns(own, given.size())),
                bound.columns(),
                bound.untyped());
    }

    private static List<Scalar> columns(List<Type> types, int first) {
        List<Scalar> columns = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            columns.add(new Scalar.ColumnRef(first + i, types.get(i), true, "$" + (i + 1)));
        }
        return List.copyOf(columns);
    }
}

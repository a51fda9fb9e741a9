package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.AggregateCall.SortTerm;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScalarText;
import dev.oriel.sql.plan.WindowCall;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.EdgeKind;
import dev.oriel.sql.syntax.Expression.Exclusion;
import dev.oriel.sql.syntax.Expression.FrameUnit;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.WindowFunction;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Binds functions with OVER. Each becomes a column after the columns of its input rows. Their number is not known
/// yet, so its position counts from [WindowCall#FIRST], which the planner replaces. A function that contains others
/// comes after them.
final class WindowBinder {
    private static final WindowCall.Frame USUAL =
            new WindowCall.Frame(
                    FrameUnit.RANGE,
                    new WindowCall.Edge(EdgeKind.UNBOUNDED_PRECEDING, null, null),
                    new WindowCall.Edge(EdgeKind.CURRENT_ROW, null, null),
                    Exclusion.NO_OTHERS);

    private final SqlText source;
    private final Map<String, Expression.Over> named = new HashMap<>();
    private final List<WindowCall> calls = new ArrayList<>();
    private final List<String> identities = new ArrayList<>();

    WindowBinder(SqlText source, List<Statement.NamedWindow> windows) {
        this.source = source;
        for (Statement.NamedWindow window : windows) {
            String name = window.name().name().toUpperCase(Locale.ROOT);
            Expression.Over whole = resolved(window.window());
            if (named.putIfAbsent(name, whole) != null) {
                throw source.error(
                        Kind.WINDOWING,
                        window.name().position(),
                        "WINDOW names \"" + window.name().name() + "\" twice");
            }
        }
    }

    /// The functions bound so far.
    List<WindowCall> calls() {
        return List.copyOf(calls);
    }

    /// Whether `expression` contains a function with OVER.
    static boolean windows(Expression expression) {
        if (expression instanceof Expression.Call call && call.over() != null) {
            return true;
        }
        for (Expression operand : Expression.operands(expression)) {
            if (windows(operand)) {
                return true;
            }
        }
        return false;
    }

    /// Binds `call`; `rows` binds its operands.
    Scalar bind(Expression.Call call, ScalarBinder rows) {
        Expression.Over over = call.over();
        if (over == null) {
            throw new IllegalStateException(call.name() + " has no window");
        }
        rows.windows(over.nests() ? this : null);
        try {
            WindowCall.Window window = window(resolved(over), rows);
            WindowCall bound = bound(call, window, rows);
            return column(bound);
        } finally {
            rows.windows(this);
        }
    }

    private Scalar column(WindowCall bound) {
        String identity = bound.text(true);
        int position = identities.indexOf(identity);
        if (position < 0) {
            position = calls.size();
            calls.add(bound);
            identities.add(identity);
        }
        boolean never =
                bound.aggregate() != null
                        ? bound.aggregate().kind() == AggregateFunction.COUNT
                        : bound.function() != null && !bound.function().picks();
        return new Scalar.ColumnRef(
                WindowCall.FIRST + position, bound.type(), !never, bound.text(false));
    }

    /// `over` with the clauses of the window that it names.
    private Expression.Over resolved(Expression.Over over) {
        if (over.base() == null) {
            return over;
        }
        Expression.Over base = named.get(over.base().name().toUpperCase(Locale.ROOT));
        if (base == null) {
            throw source.error(
                    Kind.UNKNOWN_OBJECT,
                    over.base().position(),
                    "There is no window \""
                            + over.base().name()
                            + "\""
                            + Nearest.hint(over.base().name(), List.copyOf(named.keySet())));
        }
        if (over.alone()) {
            return base;
        }
        String problem =
                !over.partitionBy().isEmpty()
                        ? "It cannot have a PARTITION BY of its own"
                        : !over.orderBy().isEmpty() && !base.orderBy().isEmpty()
                                ? "Both have an ORDER BY"
                                : base.frame() != null ? "The named one has a frame" : "";
        if (!problem.isEmpty()) {
            throw source.error(
                    Kind.WINDOWING,
                    over.position(),
                    problem + ": so this window cannot extend \"" + over.base().name() + "\"");
        }
        return new Expression.Over(
                over.position(),
                null,
                false,
                base.partitionBy(),
                over.orderBy().isEmpty() ? base.orderBy() : over.orderBy(),
                over.frame());
    }

    private WindowCall.Window window(Expression.Over over, ScalarBinder rows) {
        List<Scalar> partition = new ArrayList<>();
        over.partitionBy().forEach(key -> partition.add(rows.bind(key)));
        List<SortTerm> order = new ArrayList<>();
        for (Statement.Order term : over.orderBy()) {
            boolean nullsFirst = term.nullsFirst() == null ? term.descending() : term.nullsFirst();
            order.add(new SortTerm(rows.bind(term.expression()), term.descending(), nullsFirst));
        }
        if (over.nests()) {
            checkFirsts(over, partition, order);
        }
        WindowCall.Frame frame = over.frame() == null ? USUAL : frame(over.frame(), order, rows);
        return new WindowCall.Window(List.copyOf(partition), List.copyOf(order), frame);
    }

    /// Checks that ORDER BY begins with the DISTINCT ON keys in any order: else it would not order the remaining
    /// rows.
    private void checkFirsts(Expression.Over over, List<Scalar> partition, List<SortTerm> order) {
        Set<String> named = new HashSet<>();
        partition.forEach(key -> named.add(ScalarText.identity(key)));
        Set<String> met = new HashSet<>();
        for (int i = 0; i < order.size() && met.size() < named.size(); i++) {
            String identity = ScalarText.identity(order.get(i).scalar());
            if (!named.contains(identity)) {
                throw source.error(
                        Kind.INVALID_REFERENCE,
                        over.orderBy().get(i).expression().position(),
                        "ORDER BY must begin with the expressions of DISTINCT ON: put this one"
                                + " after them");
            }
            met.add(identity);
        }
    }

    private WindowCall.Frame frame(
            Expression.FrameClause clause, List<SortTerm> order, ScalarBinder rows) {
        if (clause.unit() == FrameUnit.GROUPS && order.isEmpty()) {
            throw source.error(
                    Kind.WINDOWING, clause.position(), "A frame of GROUPS needs an ORDER BY");
        }
        return new WindowCall.Frame(
                clause.unit(),
                edge(clause, clause.start(), order, rows),
                edge(clause, clause.end(), order, rows),
                clause.exclusion());
    }

    private WindowCall.Edge edge(
            Expression.FrameClause clause,
            Expression.FrameEdge edge,
            List<SortTerm> order,
            ScalarBinder rows) {
        Expression offset = edge.offset();
        if (offset == null) {
            return new WindowCall.Edge(edge.kind(), null, null);
        }
        if (clause.unit() != FrameUnit.RANGE) {
            Scalar count = rows.bind(offset, Typing.BIGINT);
            if (!Typing.isInteger(count.type())) {
                throw source.error(
                        Kind.TYPE_MISMATCH,
                        offset.position(),
                        "A frame of " + clause.unit() + " needs an integer, not " + count.type());
            }
            return new WindowCall.Edge(edge.kind(), rowFree(count, offset), null);
        }
        if (order.size() != 1) {
            throw source.error(
                    Kind.WINDOWING,
                    clause.position(),
                    "A frame of RANGE with a distance needs an ORDER BY of one expression");
        }
        return range(edge, offset, order.getFirst().scalar(), rows);
    }

    private Scalar rowFree(Scalar scalar, Expression offset) {
        if (!Scalar.isRowFree(scalar)) {
            throw source.error(
                    Kind.INVALID_REFERENCE,
                    offset.position(),
                    "The distance of a frame must be the same for all rows");
        }
        return scalar;
    }

    private WindowCall.Edge range(
            Expression.FrameEdge edge, Expression offset, Scalar key, ScalarBinder rows) {
        Type type = key.type();
        boolean text =
                offset instanceof Expression.Literal literal
                        && literal.kind() == Expression.Literal.Kind.STRING
                        && hasSpans(type);
        Expression distanceOf =
                text ? new Expression.Cast(offset.position(), offset, Typing.INTERVAL) : offset;
        Intervals.Span span = IntervalBinder.span(distanceOf, source);
        if (span != null) {
            if (!hasSpans(type)) {
                throw unfit(offset, type, "INTERVAL");
            }
            if (span.isNegative()) {
                throw source.error(
                        Kind.FRAME_DISTANCE,
                        offset.position(),
                        "The distance of a frame cannot be negative");
            }
            return new WindowCall.Edge(edge.kind(), null, span);
        }
        Scalar distance = rows.bind(offset, Typing.isNumber(type) ? type : Typing.BIGINT);
        if (!Typing.isNumber(type) && type.name() != Type.Name.DATE) {
            throw unfit(offset, type, distance.type().toString());
        }
        Type wanted = Typing.isNumber(type) ? type : Typing.INTEGER;
        Type common = Typing.common(wanted, distance.type());
        if (common == null || common.shape() != wanted.shape()) {
            throw unfit(offset, type, distance.type().toString());
        }
        Scalar converted = rows.converted(distance, common, offset.position());
        return new WindowCall.Edge(edge.kind(), rowFree(converted, offset), null);
    }

    /// Whether intervals measure the distance of two values of `type`.
    private static boolean hasSpans(Type type) {
        return switch (Typing.family(type)) {
            case DATE, TIME, TIME_TZ, INTERVAL -> true;
            case BOOLEAN, NUMBER, TEXT, BYTES, UUID, JSON, ARRAY, ENUM, BITS, COMPOSITE -> false;
        };
    }

    private SqlException unfit(Expression offset, Type key, String distance) {
        return source.error(
                Kind.NOT_SUPPORTED,
                offset.position(),
                "A frame over values of type " + key + " has no distance of type " + distance);
    }

    private WindowCall bound(Expression.Call call, WindowCall.Window window, ScalarBinder rows) {
        SqlText.Place place = source.at(call.position());
        AggregateFunction kind = AggregateFunction.of(call.name());
        if (kind != null) {
            AggregateCall aggregate = new AggregateBinder(rows).bind(call, kind);
            return new WindowCall(
                    null, aggregate, List.of(), false, window, aggregate.type(), place);
        }
        WindowFunction function = WindowFunction.of(call.name());
        if (function == null) {
            throw place.error(
                    Kind.UNKNOWN_FUNCTION,
                    "There is no aggregate or window function \""
                            + call.name()
                            + "\""
                            + Nearest.hint(call.name(), names()));
        }
        check(call, function, place);
        List<Scalar> arguments = arguments(call, function, rows);
        boolean ignores = call.extras() != null && call.extras().ignoresNulls();
        Type type = type(function, arguments);
        return new WindowCall(function, null, arguments, ignores, window, type, place);
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>(AggregateFunction.allNames());
        for (WindowFunction function : WindowFunction.callable()) {
            names.add(function.name());
        }
        return names;
    }

    private static void check(Expression.Call call, WindowFunction function, SqlText.Place place) {
        if (call.distinct() || call.star() || !call.orderBy().isEmpty() || call.filter() != null) {
            throw place.error(
                    Kind.SYNTAX, function + " takes neither DISTINCT, \"*\", ORDER BY nor FILTER");
        } else if (!function.takes(call.arguments().size())) {
            throw place.error(
                    Kind.UNKNOWN_FUNCTION,
                    function + " takes " + function.arity() + ", not " + call.arguments().size());
        } else if (call.extras() != null && call.extras().ignoresNulls() && !function.picks()) {
            throw place.error(Kind.SYNTAX, function + " cannot be used with IGNORE NULLS");
        }
    }

    private List<Scalar> arguments(
            Expression.Call call, WindowFunction function, ScalarBinder rows) {
        List<Expression> given = call.arguments();
        List<Scalar> bound = new ArrayList<>();
        boolean shifts = function == WindowFunction.LAG || function == WindowFunction.LEAD;
        if (shifts && given.size() == 3) {
            List<Scalar> values =
                    rows.unified(
                            List.of(given.get(0), given.get(2)),
                            function.name(),
                            call.position(),
                            OpenType.TEXT);
            return List.of(values.get(0), count(given.get(1), function, rows), values.get(1));
        }
        for (int i = 0; i < given.size(); i++) {
            boolean counts = i == 1 || function == WindowFunction.NTILE;
            bound.add(counts ? count(given.get(i), function, rows) : rows.bind(given.get(i)));
        }
        return List.copyOf(bound);
    }

    private Scalar count(Expression argument, WindowFunction function, ScalarBinder rows) {
        Scalar bound = rows.bind(argument, Typing.INTEGER);
        if (!Typing.isInteger(bound.type())) {
            throw source.error(
                    Kind.UNKNOWN_FUNCTION,
                    argument.position(),
                    function + " needs an integer, not " + bound.type());
        }
        return bound;
    }

    private static Type type(WindowFunction function, List<Scalar> arguments) {
        return switch (function) {
            case ROW_NUMBER, RANK, DENSE_RANK -> Typing.BIGINT;
            case NTILE -> Typing.INTEGER;
            case PERCENT_RANK, CUME_DIST -> Typing.DOUBLE;
            case LAG, LEAD ->
                    arguments.size() == 3
                            ? ScalarBinder.common(List.of(arguments.get(0), arguments.get(2)))
                            : arguments.getFirst().type();
            case FIRST_VALUE, LAST_VALUE, NTH_VALUE, NTH_VALUE_FROM_LAST ->
                    arguments.getFirst().type();
        };
    }
}

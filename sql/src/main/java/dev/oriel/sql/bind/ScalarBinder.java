package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Arithmetic;
import dev.oriel.sql.plan.Concatenation;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Conditional;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.Correlation;
import dev.oriel.sql.plan.DayComparison;
import dev.oriel.sql.plan.ExtractedLiterals;
import dev.oriel.sql.plan.Folding;
import dev.oriel.sql.plan.OperatorChain;
import dev.oriel.sql.plan.ParameterTypes;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.SpanLibrary;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.syntax.WindowFunction;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Resolves and types expressions. Strings, NULL and parameters have no type of their own: they take the type that
/// their context expects, passed down as `expected`.
public class ScalarBinder implements Correlation.Names {
    /// Minimum nesting depth at which chains of operators are flattened, to avoid recursion at run time.
    private static final int DEEP = 100;

    /// Limit of nesting for operators that cannot be flattened into a chain.
    private static final int HEIGHT_MAX = 1_000;

    private final BindContext around;
    private final SqlText source;
    private final Scope scope;

    private @Nullable SelectAliases aliases;
    private final FunctionBinder functions;

    /// Binder of functions with OVER; null if they are not allowed.
    private @Nullable WindowBinder windows;

    /// Current nesting depth of expressions being bound. Below it, the maximum since the outermost one began.
    private int nesting;

    private int deepest;

    public ScalarBinder(BindContext around, Scope scope) {
        this.around = around;
        this.source = around.source();
        this.scope = scope;
        this.functions = new FunctionBinder(this);
    }

    /// From now on functions with OVER go to `binder`, or are rejected if it is null.
    final void windows(@Nullable WindowBinder binder) {
        windows = binder;
    }

    final SqlText source() {
        return source;
    }

    final Scope scope() {
        return scope;
    }

    final BindContext around() {
        return around;
    }

    /// Resolves `name` here or in the enclosing queries; null if it is unknown.
    @Override
    public @Nullable Scalar named(Expression.Name name) {
        if (name.name().equalsIgnoreCase(TableNumber.NAME)) {
            Scalar number = TableNumber.of(around, scope, name);
            if (number != null) {
                return number;
            }
        }
        Scalar found = around.find(scope, name);
        Correlation correlation = around.correlation();
        return found == null && correlation != null ? correlation.resolve(name) : found;
    }

    @Override
    public @Nullable Scalar meaning(Expression.Name name) {
        Scalar found = scope.find(source, name);
        Correlation correlation = around.correlation();
        return found == null && correlation != null ? correlation.meaning(name) : found;
    }

    @Override
    public final Correlation.@Nullable WholeRow row(String name) {
        Scope.Relation own = scope.relation(name);
        if (own != null) {
            return new Correlation.WholeRow(own.columns(), own.outer());
        }
        Correlation correlation = around.correlation();
        return correlation == null ? null : correlation.row(name);
    }

    @Override
    public final Scalar aggregated(Expression.Call call, int hops) {
        return call(call, Typing.TEXT, hops);
    }

    private Scalar resolved(Expression.Name name) {
        Scalar found = named(name);
        if (found == null) {
            Expression other = Synonyms.ofName(around, name);
            found = other == null ? null : bind(other);
        }
        if (found == null) {
            found = new CompositeBinder(this).ofColumn(name);
        }
        if (found == null) {
            Expression row = new WholeRows(this).composite(name);
            found = row == null ? null : bind(row);
        }
        if (found == null) {
            found = ofAlias(name);
        }
        if (found == null) {
            throw scope.unknown(source, name);
        }
        return found;
    }

    /// The item of the select list with the alias `name`; null if there is none.
    final @Nullable Scalar ofAlias(Expression.Name name) {
        SelectAliases all = aliases;
        Expression alias = all == null ? null : all.of(name);
        aliases = null; // an alias is not known within the others
        Scalar bound = alias == null ? null : bind(alias);
        aliases = all;
        return bound;
    }

    final @Nullable SelectAliases aliases() {
        return aliases;
    }

    final void aliases(@Nullable SelectAliases names) {
        aliases = names;
    }

    /// Binds `expression`, whose context gives it no type.
    final Scalar bind(Expression expression) {
        return bind(expression, OpenType.TEXT);
    }

    /// Binds `expression`, which takes the type `expected` if it has none of its own.
    Scalar bind(Expression expression, Type expected) {
        nesting++;
        deepest = Math.max(deepest, nesting);
        Scalar bound;
        try {
            bound = adapted(bound(expression, expected), expected, expression.position());
        } finally {
            nesting--;
        }
        if (nesting > 0 || deepest < DEEP) {
            return bound;
        }
        deepest = 0;
        return shallow(expression, bound);
    }

    /// `bound`, which takes the type `expected` if its own is open.
    final Scalar adapted(Scalar bound, Type expected, int position) {
        return OpenType.adapts(bound.type(), expected)
                ? Folding.fold(new Conversion(bound, expected, false, source.at(position)))
                : bound;
    }

    /// `bound` before it was adapted to the type that its context expects.
    static Scalar unadapted(Scalar bound) {
        return bound instanceof Conversion conversion
                        && OpenType.adapts(conversion.operand().type(), conversion.type())
                ? conversion.operand()
                : bound;
    }

    /// `bound` with chains flattened, so that it can be evaluated on any stack.
    private Scalar shallow(Expression expression, Scalar bound) {
        Scalar shallow = OperatorChain.of(bound);
        if (OperatorChain.height(shallow) > HEIGHT_MAX) {
            throw source.error(
                    Kind.TOO_COMPLEX,
                    expression.position(),
                    "More than "
                            + HEIGHT_MAX
                            + " levels of operators are nested (first operands do not count);"
                            + " split the expression, or move parts of it to WITH or views");
        }
        return shallow;
    }

    private Scalar parameter(Expression.Parameter parameter, Type expected) {
        ParameterTypes parameters = around.binding().parameters();
        if (parameter.index() >= parameters.count()) {
            throw source.error(
                    Kind.SYNTAX, parameter.position(), "A definition cannot have parameters");
        }
        Type type = parameter.type();
        return parameters.reference(parameter.index(), type == null ? expected : type);
    }

    private Scalar bound(Expression expression, Type expected) {
        return switch (expression) {
            case Expression.Literal literal -> literal(literal, expected);
            case Expression.Parameter parameter -> parameter(parameter, expected);
            case Expression.Name name -> resolved(name);
            case Expression.IntervalLiteral interval -> IntervalBinder.constant(interval, source);
            case Expression.RowValue row -> new CompositeBinder(this).value(row, expected);
            case Expression.Starred starred -> scope.starred(starred);
            case Expression.Nested nested -> new SubqueryBinder(this).bind(nested, expected);
            case Expression.Negation negation -> negation(negation, expected);
            case Expression.Not not ->
                    Folding.fold(new Condition.Not(condition(not.operand(), "NOT")));
            case Expression.Binary binary -> binary(binary, expected);
            case Expression.Logical logical -> logical(logical);
            case Expression.IsNull test -> isNull(test);
            case Expression.IsTruth test ->
                    Folding.fold(
                            new Condition.IsTruth(
                                    condition(test.operand(), "IS"), test.truth(), test.negated()));
            case Expression.IsDistinct test -> distinct(test);
            case Expression.Between between -> between(between);
            case Expression.In in -> in(in);
            case Expression.Like like -> like(like);
            case Expression.Case choice -> choice(choice, expected);
            case Expression.Cast cast -> cast(cast);
            case Expression.Call call -> call(call, expected, 0);
            case Expression.JsonCall call -> new JsonCallBinder(this).bind(call);
            case Expression.ArrayOf array -> new ArrayBinder(this).literal(array, expected);
            case Expression.ArrayTest test -> new ArrayBinder(this).test(test);
        };
    }

    /// Binds `expression`, which must be a condition.
    final Scalar condition(Expression expression, String where) {
        Scalar bound = bind(expression, Typing.BOOLEAN);
        if (bound.type().name() != Type.Name.BOOLEAN) {
            throw source.error(
                    Kind.TYPE_MISMATCH,
                    expression.position(),
                    where + " needs a condition (BOOLEAN), not " + bound.type());
        }
        return bound;
    }

    /// Binds `expression` with assignment conversion to `target`, as in INSERT.
    public final Scalar assign(Expression expression, Type target, String what) {
        Scalar bound = bind(expression, target);
        return assigned(bound, target, source.at(expression.position()), what);
    }

    /// `bound` with assignment conversion to `target`, as in INSERT.
    public static Scalar assigned(Scalar bound, Type target, Place place, String what) {
        if (!Typing.assignable(bound.type(), target)) {
            throw place.error(
                    Kind.TYPE_MISMATCH,
                    what + " is of type " + target + ", but the value is of type " + bound.type());
        }
        // The table checks ranges and lengths, and rounds decimals.
        return target.element() == null
                        && target.name() != Type.Name.INTERVAL
                        && target.name() != Type.Name.COMPOSITE
                        && bound.type().shape() == target.shape()
                        && Typing.family(bound.type()) == Typing.family(target)
                        && (Typing.family(target) != Typing.Family.DATE
                                || bound.type().name() == target.name())
                ? bound
                : Folding.fold(new Conversion(bound, target, false, place));
    }

    /// Whether `expression` takes its type from its context.
    static boolean untyped(Expression expression) {
        return switch (expression) {
            case Expression.Parameter parameter -> parameter.type() == null;
            case Expression.Literal literal ->
                    literal.kind() == Expression.Literal.Kind.STRING
                            || literal.kind() == Expression.Literal.Kind.NULL;
            case Expression.Case choice -> {
                boolean all = choice.otherwise() == null || untyped(choice.otherwise());
                for (Expression.When when : choice.whens()) {
                    all &= untyped(when.result());
                }
                yield all;
            }
            case Expression.Name name -> false;
            case Expression.IntervalLiteral interval -> false;
            case Expression.RowValue row -> false;
            case Expression.Starred starred -> false;
            case Expression.Nested nested -> false;
            case Expression.Negation negation -> false;
            case Expression.Not not -> false;
            case Expression.Binary binary -> false;
            case Expression.Logical logical -> false;
            case Expression.IsNull test -> false;
            case Expression.IsTruth test -> false;
            case Expression.IsDistinct test -> false;
            case Expression.Between between -> false;
            case Expression.In in -> false;
            case Expression.Like like -> false;
            case Expression.Cast cast -> false;
            case Expression.Call call -> false;
            case Expression.JsonCall call -> false;
            case Expression.ArrayOf array -> false;
            case Expression.ArrayTest test -> false;
        };
    }

    private Scalar literal(Expression.Literal literal, Type context) {
        Type expected = OpenType.closed(context); // only parameters have other types than theirs
        // In a definition a word would mean another day each time.
        if (DateWords.isPossible(literal, expected)
                && !around.binding().isStored()
                && DateWords.meaning(literal, expected) != null) {
            return cast(new Expression.Cast(literal.position(), literal, expected));
        }
        return value(literal, expected);
    }

    /// A moment that names no zone is in the zone of the session. In a definition it would be another moment for each
    /// session, so it is in UTC there.
    private Scalar value(Expression.Literal literal, Type expected) {
        boolean stored = around.binding().isStored();
        boolean within = !stored && Folding.holdsMoments(literal, expected);
        Type type = within ? Typing.TEXT : expected;
        Scalar constant = Folding.constant(literal, type, source);
        boolean local = !stored && Folding.isLocal(literal, type);
        Scalar value = taken(literal, type, local ? Folding.local(constant) : constant);
        return local || within
                ? new Conversion(value, expected, false, source.at(literal.position()))
                : value;
    }

    private Scalar taken(Expression.Literal literal, Type expected, Scalar constant) {
        ExtractedLiterals taken = around.binding().parameters().taken();
        return taken == null ? constant : taken.take(literal, expected, constant);
    }

    private Scalar negation(Expression.Negation negation, Type expected) {
        Type wanted = Typing.isNumber(expected) ? expected : OpenType.NUMBER;
        Scalar operand = bind(negation.operand(), wanted);
        if (SpanLibrary.isSpan(operand)) {
            return SpanLibrary.negated(operand, source.at(negation.position()));
        }
        if (!Typing.isNumber(operand.type())) {
            throw source.error(
                    Kind.UNKNOWN_FUNCTION,
                    negation.position(),
                    "\"-\" needs a number, not " + operand.type());
        }
        return Folding.fold(new Arithmetic.Negated(operand, source.at(negation.position())));
    }

    private Scalar logical(Expression.Logical logical) {
        List<Scalar> terms = new ArrayList<>();
        boolean constant = true;
        for (Expression term : logical.terms()) {
            Scalar bound = condition(term, logical.and() ? "AND" : "OR");
            constant &= bound instanceof Scalar.Constant;
            terms.add(bound);
        }
        Scalar bound = new Condition.Logical(logical.and(), List.copyOf(terms));
        return constant ? Folding.evaluated(bound) : bound;
    }

    private Scalar binary(Expression.Binary binary, Type expected) {
        Operator operator = binary.operator();
        if (operator.isComparison()
                && new RowValueBinder(this).applies(binary.left(), binary.right())) {
            return new RowValueBinder(this).comparison(binary);
        }
        if (operator.isComparison()) {
            Scalar[] pair = pair(binary.left(), binary.right(), binary.position(), operator);
            return Folding.fold(
                    DayComparison.of(new Condition.Comparison(operator, pair[0], pair[1])));
        }
        if (operator == Operator.CONCAT) {
            return concatenation(binary);
        }
        return new ArithmeticBinder(this).arithmetic(binary, expected);
    }

    /// Binds two expressions to be compared, and converts them to one type.
    final Scalar[] pair(Expression left, Expression right, int position, Operator operator) {
        Scalar[] pair = bindBoth(left, right, OpenType.TEXT);
        Type common = comparable(pair[0], pair[1], position, operator);
        pair[0] = converted(pair[0], common, left.position());
        pair[1] = converted(pair[1], common, right.position());
        return pair;
    }

    /// Converts two operands of a comparison to one type.
    final Scalar[] compared(Scalar left, Scalar right, int position, Operator operator) {
        Type common = comparable(left, right, position, operator);
        return new Scalar[] {converted(left, common, position), converted(right, common, position)};
    }

    private Type comparable(Scalar left, Scalar right, int position, Operator operator) {
        Type common = Typing.common(left.type(), right.type());
        if (common == null) {
            throw source.error(
                    Kind.UNKNOWN_FUNCTION,
                    position,
                    "\""
                            + operator.symbol()
                            + "\" cannot compare "
                            + left.type()
                            + " with "
                            + right.type());
        }
        return common;
    }

    /// Binds two expressions, either of which may take its type from the other.
    final Scalar[] bindBoth(Expression left, Expression right, Type otherwise) {
        if (!untyped(left)) {
            Scalar first = bind(left, otherwise);
            return new Scalar[] {first, bind(right, OpenType.beside(first.type()))};
        }
        Scalar second = bind(right, otherwise);
        Type type = untyped(right) ? otherwise : OpenType.beside(second.type());
        return new Scalar[] {bind(left, type), second};
    }

    /// Converts `bound` to `type`; the conversion must exist.
    final Scalar converted(Scalar bound, Type type, int position) {
        boolean arrays = bound.type().element() != null && type.element() != null;
        boolean parts = arrays || type.name() == Type.Name.COMPOSITE;
        if (parts && !Typing.plain(bound.type()).equals(Typing.plain(type))) {
            return Folding.fold(new Conversion(bound, type, false, source.at(position)));
        }
        if (bound.type().name() == type.name()
                || (Typing.isText(bound.type())
                        && Typing.isText(type)
                        && Typing.isFolded(bound.type()) == Typing.isFolded(type))
                || (bound.type().shape() == Type.Shape.BYTES && type.shape() == Type.Shape.BYTES)
                || (Typing.isInteger(bound.type()) && Typing.isInteger(type))
                || (bound.type().shape() == Type.Shape.DOUBLE
                        && type.shape() == Type.Shape.DOUBLE)) {
            return bound;
        }
        return Folding.fold(new Conversion(bound, type, false, source.at(position)));
    }

    private Scalar isNull(Expression.IsNull test) {
        Expression.RowValue row = new WholeRows(this).values(test.operand());
        if (row != null) {
            return new RowValueBinder(this).isNull(row, test.negated());
        }
        Scalar operand = bind(test.operand());
        return operand.type().name() == Type.Name.COMPOSITE
                ? CompositeBinder.isNull(operand, test.negated())
                : Folding.fold(new Condition.IsNull(operand, test.negated()));
    }

    private Scalar distinct(Expression.IsDistinct test) {
        if (new RowValueBinder(this).applies(test.left(), test.right())) {
            return new RowValueBinder(this).distinct(test);
        }
        Scalar[] pair = pair(test.left(), test.right(), test.position(), Operator.EQUAL);
        Scalar same = Folding.fold(new Condition.Same(pair[0], pair[1]));
        return test.negated() ? same : Folding.fold(new Condition.Not(same));
    }

    private Scalar between(Expression.Between between) {
        if (between.operand() instanceof Expression.RowValue
                && RowValueBinder.isRowOrQuery(between.low())
                && RowValueBinder.isRowOrQuery(between.high())) {
            return new RowValueBinder(this).between(between);
        }
        List<Scalar> bound =
                unified(
                        List.of(between.operand(), between.low(), between.high()),
                        "BETWEEN",
                        between.position(),
                        OpenType.TEXT);
        Scalar test =
                Folding.fold(
                        DayComparison.of(
                                new Condition.Between(bound.get(0), bound.get(1), bound.get(2))));
        return between.negated() ? Folding.fold(new Condition.Not(test)) : test;
    }

    private Scalar in(Expression.In in) {
        if (in.operand() instanceof Expression.RowValue && new RowValueBinder(this).isOfRows(in)) {
            return new RowValueBinder(this).in(in);
        }
        List<Expression> all = new ArrayList<>();
        all.add(in.operand());
        all.addAll(in.list());
        List<Scalar> bound = unified(all, "IN", in.position(), OpenType.TEXT);
        Scalar test =
                Folding.fold(
                        bound.size() == 2 // the form that keys and indexes support best
                                ? new Condition.Comparison(
                                        Operator.EQUAL, bound.getFirst(), bound.getLast())
                                : new Condition.In(
                                        bound.getFirst(), bound.subList(1, bound.size())));
        return in.negated() ? Folding.fold(new Condition.Not(test)) : test;
    }

    private Scalar like(Expression.Like like) {
        Scalar operand = text(like.operand(), "LIKE");
        Scalar pattern = text(like.pattern(), "LIKE");
        Scalar escape = like.escape() == null ? null : text(like.escape(), "ESCAPE");
        Place place = source.at(like.pattern().position());
        boolean ignoreCase = like.ignoreCase() || Typing.isFolded(operand.type());
        Scalar test = Folding.fold(new Condition.Like(operand, pattern, escape, ignoreCase, place));
        return like.negated() ? Folding.fold(new Condition.Not(test)) : test;
    }

    /// Binds `expression`, which must be text.
    final Scalar text(Expression expression, String where) {
        return text(bind(expression, Typing.TEXT), expression, where);
    }

    final Scalar text(Scalar bound, Expression expression, String where) {
        if (!Typing.isText(bound.type())) {
            throw source.error(
                    Kind.UNKNOWN_FUNCTION,
                    expression.position(),
                    where + " needs text, not " + bound.type() + " (CAST converts it)");
        }
        return bound;
    }

    /// Binds `expressions`, and converts them to one type.
    final List<Scalar> unified(
            List<Expression> expressions, String where, int position, Type otherwise) {
        @Nullable Type common = null;
        Scalar[] bound = new Scalar[expressions.size()];
        for (int i = 0; i < bound.length; i++) {
            Expression expression = expressions.get(i);
            if (!untyped(expression)) {
                bound[i] = bind(expression, otherwise);
                Type type = bound[i].type();
                @Nullable Type both = common == null ? type : together(where, common, type);
                if (both == null) {
                    throw source.error(
                            unlike(where),
                            expression.position(),
                            where + " cannot combine " + common + " and " + type);
                }
                common = both;
            }
        }
        Type type = common == null ? otherwise : common;
        List<Scalar> unified = new ArrayList<>();
        for (int i = 0; i < bound.length; i++) {
            Expression expression = expressions.get(i);
            Scalar scalar =
                    untyped(expression) ? bind(expression, OpenType.beside(type)) : bound[i];
            unified.add(converted(scalar, type, expression.position()));
        }
        return List.copyOf(unified);
    }

    /// Common type of values compared with one another, or of alternative results.
    private static @Nullable Type together(String where, Type a, Type b) {
        return switch (where) {
            case "BETWEEN", "IN", "WHEN", "WIDTH_BUCKET" -> Typing.common(a, b);
            default -> Typing.either(a, b);
        };
    }

    /// Kind of the error for two incompatible types: no operator if they are compared, else no common type.
    private static Kind unlike(String where) {
        return switch (where) {
            case "ARRAY", "CASE", "COALESCE", "GREATEST", "LEAST", "VALUES" -> Kind.TYPE_MISMATCH;
            default -> Kind.UNKNOWN_FUNCTION;
        };
    }

    /// Common type of `unified`, without length and scale.
    static Type common(List<Scalar> unified) {
        Type type = Typing.plain(unified.getFirst().type());
        for (Scalar scalar : unified) {
            Type both = Typing.common(type, scalar.type());
            type = both == null ? type : Typing.plain(both);
        }
        return type;
    }

    private Scalar concatenation(Expression.Binary binary) {
        List<Scalar> parts = new ArrayList<>();
        boolean swapped = untyped(binary.left());
        Expression unknown = swapped ? binary.left() : binary.right();
        boolean texts = unknown instanceof Expression.Literal;
        Scalar known =
                bind(swapped ? binary.right() : binary.left(), texts ? Typing.TEXT : OpenType.TEXT);
        Scalar other = bind(unknown, beside(known, unknown));
        parts.add(swapped ? other : known);
        parts.add(swapped ? known : other);
        if (parts.stream().allMatch(part -> part.type().name() == Type.Name.JSON)) {
            return new JsonBinder(this).concatenation(parts, binary.position());
        }
        if (parts.stream().anyMatch(part -> part.type().element() != null)) {
            return new ArrayBinder(this).concatenation(parts, binary.position());
        }
        boolean bytes =
                parts.stream().allMatch(part -> Typing.family(part.type()) == Typing.Family.BYTES);
        boolean bits = parts.stream().allMatch(part -> Typing.isBits(part.type()));
        if (!bytes && !bits && parts.stream().noneMatch(part -> Typing.isText(part.type()))) {
            throw source.error(
                    Kind.UNKNOWN_FUNCTION,
                    binary.position(),
                    "\"||\" needs text on one side at least");
        }
        Type type = bytes ? Typing.BYTES : bits ? Typing.BITS : Typing.TEXT;
        List<Scalar> flat = new ArrayList<>();
        for (Scalar part : parts) {
            Scalar one = bytes || bits ? part : asText(part, binary.position());
            flat.addAll(Concatenation.parts(one, type));
        }
        return Folding.foldAll(new Concatenation(List.copyOf(flat), type), flat);
    }

    /// The type of `unknown` beside `known` in a concatenation. As in PostgreSQL, a string or NULL beside an array is
    /// an array, not an element; beside bytes or bits it is these.
    private static Type beside(Scalar known, Expression unknown) {
        Type type = Typing.plain(known.type());
        Type element = type.element();
        boolean bytes = Typing.family(type) == Typing.Family.BYTES;
        boolean kept = element != null || bytes || Typing.isBits(type);
        if (type.name() == Type.Name.JSON || (kept && unknown instanceof Expression.Literal)) {
            return type;
        }
        Type open = element == null ? OpenType.TEXT : OpenType.of(element);
        return element != null || bytes || OpenType.is(type) ? open : Typing.TEXT;
    }

    /// `part` converted to text.
    final Scalar asText(Scalar part, int position) {
        return Typing.isText(part.type())
                ? part
                : Folding.fold(new Conversion(part, Typing.TEXT, true, source.at(position)));
    }

    /// `part` as printed text: like [#asText], but a BOOLEAN is `t` or `f`, as in PostgreSQL outside of casts.
    final Scalar printed(Scalar part, int position) {
        if (part.type().name() != Type.Name.BOOLEAN) {
            return asText(part, position);
        }
        List<Scalar> truths = List.of(Scalar.Constant.of(true), Scalar.Constant.of(false));
        List<Scalar> letters =
                List.of(Scalar.Constant.of(Typing.TEXT, "t"), Scalar.Constant.of(Typing.TEXT, "f"));
        return Folding.foldAll(
                new Conditional.Switch(part, truths, letters, null, Typing.TEXT), List.of(part));
    }

    /// `choice` with deeply nested CASE alternatives flattened into one.
    private static Expression.Case flat(Expression.Case choice) {
        List<Expression.When> whens = new ArrayList<>();
        Expression.Case last = choice;
        int levels = 0;
        while (last.operand() == null) {
            levels++;
            whens.addAll(last.whens());
            if (!(last.otherwise() instanceof Expression.Case inner) || inner.operand() != null) {
                break;
            }
            last = inner;
        }
        return levels < DEEP
                ? choice
                : new Expression.Case(
                        choice.position(), null, List.copyOf(whens), last.otherwise());
    }

    private Scalar choice(Expression.Case written, Type expected) {
        Expression.Case choice = flat(written);
        List<Expression> results = new ArrayList<>();
        choice.whens().forEach(when -> results.add(when.result()));
        if (choice.otherwise() != null) {
            results.add(choice.otherwise());
        }
        List<Scalar> bound = unified(results, "CASE", choice.position(), expected);
        int whens = choice.whens().size();
        Scalar otherwise = bound.size() > whens ? bound.get(whens) : null;
        Type type = common(bound);
        List<Scalar> conditions = new ArrayList<>();
        if (choice.operand() == null) {
            choice.whens().forEach(when -> conditions.add(condition(when.condition(), "WHEN")));
            return new Conditional.Case(conditions, bound.subList(0, whens), otherwise, type);
        }
        List<Expression> compared = new ArrayList<>();
        compared.add(choice.operand());
        choice.whens().forEach(when -> compared.add(when.condition()));
        List<Scalar> values = unified(compared, "WHEN", choice.position(), OpenType.TEXT);
        return new Conditional.Switch(
                values.getFirst(),
                values.subList(1, values.size()),
                bound.subList(0, whens),
                otherwise,
                type);
    }

    private Scalar cast(Expression.Cast cast) {
        Type target = cast.type();
        if (target.domain() != null) {
            DomainType domain = target.domain();
            Scalar base = cast(new Expression.Cast(cast.position(), cast.operand(), domain.base()));
            return DomainCalls.of(base, domain, source.at(cast.operand().position()));
        }
        boolean exact = cast.operand() instanceof Expression.Literal;
        if (cast.operand() instanceof Expression.Literal literal
                && DateWords.isPossible(literal, target)) {
            Expression day = DateWords.meaning(literal, target);
            if (day != null) {
                return cast(new Expression.Cast(cast.position(), day, target));
            }
        }
        if (cast.operand() instanceof Expression.Literal literal
                && Folding.isMoment(literal, target)) {
            return value(literal, target);
        }
        Scalar operand = bind(cast.operand(), exact ? Typing.TEXT : target);
        if (cast.operand() instanceof Expression.Literal literal
                && literal.kind() == Expression.Literal.Kind.NULL) {
            return Scalar.Constant.ofNull(target);
        }
        if (!Typing.castable(operand.type(), target)) {
            return OtherCasts.of(this, cast, operand);
        }
        boolean unlimited = target.length() == 0 || !(operand instanceof Scalar.ParameterRef);
        if (operand.type().equals(target) && unlimited) {
            return operand;
        }
        Scalar conversion =
                new Conversion(operand, target, true, source.at(cast.operand().position()));
        return operand instanceof Scalar.Constant && exact && !Folding.readsZone(conversion)
                ? Folding.evaluated(conversion)
                : Folding.fold(conversion);
    }

    /// @param hops number of queries between this one and the call
    private Scalar call(Expression.Call call, Type expected, int hops) {
        if (call.over() != null) {
            if (windows == null) {
                throw source.error(
                        Kind.WINDOWING,
                        call.position(),
                        "Functions with OVER belong in the select list, ORDER BY and QUALIFY, and"
                                + " not inside one another");
            }
            return windows.bind(call, this);
        }
        Correlation correlation = around.correlation();
        if (correlation != null
                && AggregateLevels.isAggregate(call)
                && around.binding().levels().isOuter(call, this, hops)) {
            return correlation.aggregate(call, hops);
        }
        AggregateFunction aggregate = AggregateFunction.of(call.name());
        if (aggregate != null) {
            return aggregate(call, aggregate);
        }
        if (WindowFunction.of(call.name()) != null) {
            throw source.error(
                    Kind.WRONG_OBJECT,
                    call.position(),
                    call.name().toUpperCase(Locale.ROOT) + " needs OVER (...) after it");
        }
        if (GroupedBinder.isGrouping(call)) {
            return grouping(call);
        }
        return functions.call(call, expected);
    }

    /// Binds an aggregate, if allowed here.
    Scalar aggregate(Expression.Call call, AggregateFunction kind) {
        throw source.error(
                Kind.GROUPING,
                call.position(),
                kind
                        + " is not allowed here: aggregates belong in the select list, HAVING and"
                        + " ORDER BY, and not inside one another");
    }

    /// Binds GROUPING, if allowed here.
    Scalar grouping(Expression.Call call) {
        throw source.error(
                Kind.GROUPING, call.position(), "GROUPING needs a query with GROUP BY around it");
    }
}

package dev.oriel.sql.syntax;

import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// An expression as written: syntax only, with unresolved names. Errors about it point to its position.
public sealed interface Expression {
    int position();

    /// A constant. `text` is the content of the token: digits, a string's value, TRUE or FALSE.
    record Literal(int position, Literal.Kind kind, String text) implements Expression {
        public enum Kind {
            INTEGER,
            DECIMAL,
            DOUBLE,
            STRING,
            BYTES,
            BOOLEAN,
            NULL;

            public boolean isNumber() {
                return compareTo(DOUBLE) <= 0;
            }
        }
    }

    /// INTERVAL.
    ///
    /// @param fields the fields after the string, or empty
    record IntervalLiteral(int position, String text, String fields) implements Expression {}

    /// The question mark with number `index`, from 0.
    ///
    /// @param type type of its value; null if its context decides
    record Parameter(int position, int index, @Nullable Type type) implements Expression {}

    /// A column, optionally qualified by its table or alias.
    record Name(int position, @Nullable String qualifier, String name) implements Expression {
        /// The name in `t.*` and `(t).*`; no column has it.
        public static final String ALL = "\0*";
    }

    /// `- operand`.
    record Negation(int position, Expression operand) implements Expression {}

    /// `NOT operand`.
    record Not(int position, Expression operand) implements Expression {}

    /// An operator between two operands; `position` is the operator's.
    record Binary(int position, Operator operator, Expression left, Expression right)
            implements Expression {}

    /// `a AND b AND c`, or with OR. A chain is one node, so a long chain is not deep.
    record Logical(int position, boolean and, List<Expression> terms) implements Expression {}

    record IsNull(int position, Expression operand, boolean negated) implements Expression {}

    /// `IS [NOT] TRUE | FALSE | UNKNOWN`.
    ///
    /// @param truth 1, 0 or -1
    record IsTruth(int position, Expression operand, int truth, boolean negated)
            implements Expression {}

    record IsDistinct(int position, Expression left, Expression right, boolean negated)
            implements Expression {}

    record Between(
            int position, Expression operand, Expression low, Expression high, boolean negated)
            implements Expression {}

    record In(int position, Expression operand, List<Expression> list, boolean negated)
            implements Expression {}

    record Like(
            int position,
            Expression operand,
            Expression pattern,
            @Nullable Expression escape,
            boolean ignoreCase,
            boolean negated)
            implements Expression {}

    /// Both forms of CASE; `operand` is null if the WHENs are conditions.
    record Case(
            int position,
            @Nullable Expression operand,
            List<When> whens,
            @Nullable Expression otherwise)
            implements Expression {}

    record When(Expression condition, Expression result) {}

    record Cast(int position, Expression operand, Type type) implements Expression {}

    /// A function, an aggregate, or a window function.
    ///
    /// @param star whether it is `name(*)`
    /// @param extras clauses of aggregates and windows; null if there are none
    record Call(
            int position,
            String name,
            List<Expression> arguments,
            boolean distinct,
            boolean star,
            @Nullable Extras extras)
            implements Expression {
        /// A call with arguments only.
        public Call(int position, String name, List<Expression> arguments) {
            this(position, name, arguments, false, false, null);
        }

        public @Nullable Expression filter() {
            return extras == null ? null : extras.filter();
        }

        public @Nullable Over over() {
            return extras == null ? null : extras.over();
        }

        public List<Statement.Order> orderBy() {
            return extras == null ? List.of() : extras.orderBy();
        }
    }

    /// The clauses of aggregates and window functions.
    ///
    /// @param orderBy within the parentheses, or after WITHIN GROUP
    /// @param within whether it is WITHIN GROUP
    /// @param ignoresNulls whether it says IGNORE NULLS
    record Extras(
            List<Statement.Order> orderBy,
            boolean within,
            @Nullable Expression filter,
            boolean ignoresNulls,
            @Nullable Over over) {}

    /// OVER: a window, the name of one, or a window that extends a named one.
    ///
    /// @param base the name; null if there is none
    /// @param alone whether it is a name without parentheses
    /// @param nests whether it may contain window functions, as in the rewrite of DISTINCT ON
    record Over(
            int position,
            Statement.@Nullable Identifier base,
            boolean alone,
            List<Expression> partitionBy,
            List<Statement.Order> orderBy,
            @Nullable FrameClause frame,
            boolean nests) {
        public Over(
                int position,
                Statement.@Nullable Identifier base,
                boolean alone,
                List<Expression> partitionBy,
                List<Statement.Order> orderBy,
                @Nullable FrameClause frame) {
            this(position, base, alone, partitionBy, orderBy, frame, false);
        }
    }

    /// The frame: the rows around the current one that a window function sees.
    record FrameClause(
            int position, FrameUnit unit, FrameEdge start, FrameEdge end, Exclusion exclusion) {}

    /// The unit of a frame's distances.
    enum FrameUnit {
        ROWS,
        RANGE,
        GROUPS
    }

    /// One end of a frame.
    ///
    /// @param offset for PRECEDING and FOLLOWING; null for the other kinds
    record FrameEdge(int position, EdgeKind kind, @Nullable Expression offset) {}

    /// Ends of frames, from the first possible one to the last.
    enum EdgeKind {
        UNBOUNDED_PRECEDING,
        PRECEDING,
        CURRENT_ROW,
        FOLLOWING,
        UNBOUNDED_FOLLOWING
    }

    /// Rows around the current one that its frame excludes.
    enum Exclusion {
        NO_OTHERS,
        CURRENT_ROW,
        GROUP,
        TIES
    }

    /// JSON_VALUE, JSON_QUERY and JSON_EXISTS.
    ///
    /// @param passed variables of the path, by name
    /// @param returning null if it is omitted
    record JsonCall(
            int position,
            JsonCall.Kind kind,
            Expression context,
            Expression path,
            List<Passed> passed,
            @Nullable Type returning,
            Clauses clauses)
            implements Expression {
        public enum Kind {
            VALUE,
            QUERY,
            EXISTS
        }

        public record Passed(Expression value, String name) {}

        /// Clauses for the result, and for an empty result or an error.
        ///
        /// @param bare whether a single string is returned without its quotes
        public record Clauses(
                Wrapper wrapper,
                boolean bare,
                @Nullable Otherwise onEmpty,
                @Nullable Otherwise onError) {}

        /// Whether the items found are wrapped in an array.
        public enum Wrapper {
            WITHOUT,
            CONDITIONAL,
            ALWAYS
        }

        /// The value for an empty result or an error.
        ///
        /// @param value of DEFAULT, else null
        public record Otherwise(int position, OtherwiseKind kind, @Nullable Expression value) {}

        public enum OtherwiseKind {
            NULL,
            ERROR,
            TRUE,
            FALSE,
            EMPTY_ARRAY,
            EMPTY_OBJECT,
            DEFAULT
        }

        /// All operands.
        List<Expression> parts() {
            List<Expression> all = new ArrayList<>(List.of(context, path));
            passed.forEach(one -> all.add(one.value()));
            for (Otherwise otherwise : new Otherwise[] {clauses.onEmpty(), clauses.onError()}) {
                if (otherwise != null && otherwise.value() != null) {
                    all.add(otherwise.value());
                }
            }
            return all;
        }
    }

    /// `ARRAY[a, b]`.
    record ArrayOf(int position, List<Expression> elements) implements Expression {}

    /// `operand < ANY (array)` and similar; `position` is the operator's.
    record ArrayTest(
            int position, Operator operator, Expression operand, Expression array, boolean all)
            implements Expression {}

    /// `(a, b, ...)`, for comparisons and IN.
    record RowValue(int position, List<Expression> values) implements Expression {}

    /// A query within an expression.
    sealed interface Nested extends Expression {
        Statement.Query query();
    }

    /// A scalar subquery.
    record Subquery(int position, Statement.Query query) implements Nested {}

    record Exists(int position, Statement.Query query) implements Nested {}

    /// `operand IN (query)`.
    record InQuery(int position, Expression operand, Statement.Query query, boolean negated)
            implements Nested {}

    /// `operand < ANY (query)` and similar; `position` is the operator's.
    record Quantified(
            int position, Operator operator, Expression operand, Statement.Query query, boolean all)
            implements Nested {}

    /// A column from the expansion of a star.
    ///
    /// @param relation index of the table in the FROM, or -1 if `column` is an index into all
    ///     columns
    record Starred(int position, String name, int relation, int column) implements Expression {}

    /// The name of an output column without an alias, as in PostgreSQL.
    static String outputName(Expression expression) {
        return switch (expression) {
            case Name name -> name.name();
            case Starred starred -> starred.name();
            case Exists exists -> "exists";
            case Subquery subquery -> outputName(subquery.query());
            case InQuery in -> "?column?";
            case Quantified quantified -> "?column?";
            case Call call when call.name().equals(Function.ATTRIBUTE.called()) ->
                    ((Literal) call.arguments().get(1)).text();
            case Call call when isPart(call) -> outputName(call.arguments().getFirst());
            case Call call -> functionName(call.name());
            case ArrayOf array -> "array";
            case ArrayTest test -> "?column?";
            case JsonCall call -> "json_" + call.kind().name().toLowerCase(Locale.ROOT);
            case Cast cast -> {
                String name = ownName(cast.operand());
                yield name == null ? cast.type().name().name().toLowerCase(Locale.ROOT) : name;
            }
            case Case choice -> {
                Expression last = choice.otherwise();
                String name = last == null ? null : ownName(last);
                yield name == null ? "case" : name;
            }
            case Literal literal -> "?column?";
            case Parameter parameter -> "?column?";
            case IntervalLiteral interval -> "interval";
            case RowValue row -> "row";
            case Negation negation -> "?column?";
            case Not not -> "?column?";
            case Binary binary -> "?column?";
            case Logical logical -> "?column?";
            case IsNull test -> "?column?";
            case IsTruth test -> "?column?";
            case IsDistinct test -> "?column?";
            case Between between -> "?column?";
            case In in -> "?column?";
            case Like like -> "?column?";
        };
    }

    /// Whether `call` takes elements of an array.
    private static boolean isPart(Call call) {
        return call.name().equals(Function.ARRAY_ELEMENT.called())
                || call.name().equals(Function.ARRAY_SLICE.called());
    }

    /// Name that `expression` gives to a cast of it, or to a CASE that ends with it; null if it gives none.
    private static @Nullable String ownName(Expression expression) {
        return switch (expression) {
            case Name _, RowValue _, Call _, ArrayOf _, JsonCall _, Exists _, Subquery _ -> {
                String name = outputName(expression);
                yield name.equals("?column?") ? null : name;
            }
            case Cast cast -> ownName(cast.operand());
            case Case choice -> choice.otherwise() == null ? null : ownName(choice.otherwise());
            default -> null;
        };
    }

    /// Name of the only column of a subquery.
    private static String outputName(Statement.Query query) {
        if (query instanceof Statement.Locking locking) {
            return outputName(locking.query());
        }
        return query instanceof Statement.Select select
                        && !select.items().isEmpty()
                        && select.items().getFirst() instanceof Statement.Item.Value value
                ? value.alias() == null ? outputName(value.expression()) : value.alias().name()
                : "?column?";
    }

    /// Name of a function's column. Internal functions are named after an operator, or after another function's
    /// variant.
    private static String functionName(String path) {
        String function = path.substring(path.indexOf('\0') + 1);
        if (!Character.isLetter(function.charAt(0))) {
            return "?column?";
        }
        int blank = function.indexOf(' ');
        return (blank < 0 ? function : function.substring(0, blank)).toLowerCase(Locale.ROOT);
    }

    /// The direct operands of `expression`, leaving out the expressions within a query.
    static List<Expression> operands(Expression expression) {
        return switch (expression) {
            case Literal literal -> List.of();
            case Parameter parameter -> List.of();
            case IntervalLiteral interval -> List.of();
            case Name name -> List.of();
            case Negation negation -> List.of(negation.operand());
            case Not not -> List.of(not.operand());
            case Binary binary -> List.of(binary.left(), binary.right());
            case Logical logical -> logical.terms();
            case IsNull test -> List.of(test.operand());
            case IsTruth test -> List.of(test.operand());
            case IsDistinct test -> List.of(test.left(), test.right());
            case Between between -> List.of(between.operand(), between.low(), between.high());
            case In in -> {
                List<Expression> all = new ArrayList<>(in.list());
                all.add(in.operand());
                yield all;
            }
            case Like like ->
                    like.escape() == null
                            ? List.of(like.operand(), like.pattern())
                            : List.of(like.operand(), like.pattern(), like.escape());
            case Case choice -> {
                List<Expression> all = new ArrayList<>();
                if (choice.operand() != null) {
                    all.add(choice.operand());
                }
                for (When when : choice.whens()) {
                    all.add(when.condition());
                    all.add(when.result());
                }
                if (choice.otherwise() != null) {
                    all.add(choice.otherwise());
                }
                yield all;
            }
            case Cast cast -> List.of(cast.operand());
            case Call call -> call.extras() == null ? call.arguments() : operands(call);
            case JsonCall call -> call.parts();
            case ArrayOf array -> array.elements();
            case ArrayTest test -> List.of(test.operand(), test.array());
            case RowValue row -> row.values();
            case Subquery subquery -> List.of();
            case Exists exists -> List.of();
            case InQuery in -> List.of(in.operand());
            case Quantified quantified -> List.of(quantified.operand());
            case Starred starred -> List.of();
        };
    }

    private static List<Expression> operands(Call call) {
        List<Expression> all = new ArrayList<>(call.arguments());
        call.orderBy().forEach(order -> all.add(order.expression()));
        if (call.filter() != null) {
            all.add(call.filter());
        }
        Over over = call.over();
        if (over != null) {
            all.addAll(over.partitionBy());
            over.orderBy().forEach(order -> all.add(order.expression()));
        }
        return all;
    }

    /// Binary operators, AND and OR excepted.
    enum Operator {
        EQUAL("="),
        NOT_EQUAL("<>"),
        LESS("<"),
        LESS_OR_EQUAL("<="),
        GREATER(">"),
        GREATER_OR_EQUAL(">="),
        CONCAT("||"),
        ADD("+"),
        SUBTRACT("-"),
        MULTIPLY("*"),
        DIVIDE("/"),
        MODULO("%");

        private final String symbol;

        Operator(String symbol) {
            this.symbol = symbol;
        }

        public String symbol() {
            return symbol;
        }

        public boolean isComparison() {
            return compareTo(GREATER_OR_EQUAL) <= 0;
        }

        /// Whether a comparison holds for two values of this order.
        public boolean holds(int order) {
            return switch (this) {
                case EQUAL -> order == 0;
                case NOT_EQUAL -> order != 0;
                case LESS -> order < 0;
                case LESS_OR_EQUAL -> order <= 0;
                case GREATER -> order > 0;
                case GREATER_OR_EQUAL -> order >= 0;
                case CONCAT, ADD, SUBTRACT, MULTIPLY, DIVIDE, MODULO ->
                        throw new IllegalStateException(this + " is no comparison");
            };
        }

        /// Negation of a comparison.
        public Operator inverse() {
            return switch (this) {
                case EQUAL -> NOT_EQUAL;
                case NOT_EQUAL -> EQUAL;
                case LESS -> GREATER_OR_EQUAL;
                case LESS_OR_EQUAL -> GREATER;
                case GREATER -> LESS_OR_EQUAL;
                case GREATER_OR_EQUAL -> LESS;
                case CONCAT, ADD, SUBTRACT, MULTIPLY, DIVIDE, MODULO -> this;
            };
        }

        /// The comparison to use with the operands swapped.
        public Operator mirrored() {
            return switch (this) {
                case LESS -> GREATER;
                case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
                case GREATER -> LESS;
                case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
                case EQUAL, NOT_EQUAL, CONCAT, ADD, SUBTRACT, MULTIPLY, DIVIDE, MODULO -> this;
            };
        }

        /// The operator of `symbol`, or null.
        static @Nullable Operator of(String symbol) {
            for (Operator operator : values()) {
                if (operator.symbol.equals(symbol)) {
                    return operator;
                }
            }
            return null;
        }
    }
}

package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.LargeStack;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Folding;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.FunctionCall;
import dev.oriel.sql.plan.ParameterTypes;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Replacement;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScalarText;
import dev.oriel.sql.plan.SequenceFunctions;
import dev.oriel.sql.planner.BoundTerms;
import dev.oriel.sql.planner.Estimate;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.syntax.UserTypes;
import dev.oriel.sql.text.Nesting;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.Expressions;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.DomainType;
import dev.oriel.table.definition.EnumType;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Table;
import dev.oriel.table.statistics.TableStatistics;
import dev.oriel.table.value.Tuple;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Binds expressions in definitions of tables, stored as text: defaults, checks, generated columns.
public final class TableExpressions implements Expressions {
    /// Catalog without tables, as names refer only to columns of their table.
    private static final Catalog NOTHING = new Catalog(0, Map.of());

    private final InstantSource clock;

    public TableExpressions(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Prepared prepare(Table table, String text, @Nullable Column target) {
        Scalar bound = target == null ? check(table, text) : value(table, text, target);
        Execution execution = new Execution(clock, new Tuple(0));
        CurrentRow row = new CurrentRow();
        Frame frame = new Frame(execution, row);
        return (transaction, of, out, column) -> {
            execution.start(transaction);
            row.set(of);
            bound.store(out, column, frame);
        };
    }

    private static ScalarBinder binder(SqlText source, Scope scope) {
        return binder(source, scope, new ParameterTypes(0));
    }

    private static ScalarBinder binder(SqlText source, Scope scope, ParameterTypes parameters) {
        return new ScalarBinder(BindContext.of(source, NOTHING, parameters), scope);
    }

    /// Condition of a check of `table`.
    public static Scalar check(Table table, String text) {
        SqlText source = new SqlText(text);
        return check(table, source, Parser.expression(source, UserTypes.of(table)));
    }

    /// Condition of a check, written in `source`.
    public static Scalar check(Table table, SqlText source, Expression expression) {
        return LargeStack.call(
                Nesting.isDeep(source),
                () -> {
                    Scalar bound =
                            binder(source, Scope.of(table, table.name()))
                                    .condition(expression, "CHECK");
                    refuseQueries(source, expression, bound, "A CHECK");
                    return bound;
                });
    }

    /// Whether the check `text` of `table` is the same condition as `other` of a table with columns of these names.
    public static boolean isSameCheck(Table table, String text, Table of, String other) {
        return text.equals(other)
                || isSame(check(table, text), check(table.withName(of.name()), other));
    }

    /// Whether the value `text` of a generated column of `table` is the same as `other` of a table with columns of
    /// these names.
    public static boolean isSameValue(
            Table table, Column column, String text, Table of, String other) {
        return text.equals(other)
                || isSame(
                        value(table, text, column),
                        value(table.withName(of.name()), other, column));
    }

    private static boolean isSame(Scalar one, Scalar other) {
        return ScalarText.identity(one).equals(ScalarText.identity(other));
    }

    /// Checks that a condition does not depend on the session, as its rows stay.
    ///
    /// @param bound from `expression`
    public static void refuseZone(SqlText source, Expression expression, Scalar bound) {
        if (Folding.dependsOnZone(bound)) {
            throw source.error(
                    Kind.INVALID_DEFINITION,
                    expression.position(),
                    "A CHECK cannot depend on "
                            + OutsideDependence.ZONE.words()
                            + "; "
                            + OutsideDependence.ZONE.remedy());
        }
    }

    /// Checks that `text`, at `position`, can be parsed again when it is loaded. Then only the types of the table's
    /// own columns are known, and no other user-defined types.
    public static void reread(Table table, SqlText source, int position, String text) {
        try {
            var _ = Parser.expression(new SqlText(text), UserTypes.of(table));
        } catch (SqlException unfit) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    position,
                    "An expression kept in a table can use the types of its own columns only: "
                            + String.valueOf(unfit.getMessage()).lines().findFirst().orElse(""));
        }
    }

    /// Expression of an index key.
    public static Scalar term(Table table, String text) {
        SqlText source = new SqlText(text);
        return term(table, source, Parser.expression(source, UserTypes.of(table)));
    }

    /// Expression of an index key, written in `source`.
    public static Scalar term(Table table, SqlText source, Expression expression) {
        return term(table, source, expression, new ParameterTypes(0));
    }

    static Scalar term(
            Table table, SqlText source, Expression expression, ParameterTypes parameters) {
        return LargeStack.call(
                Nesting.isDeep(source),
                () -> {
                    Scalar bound =
                            binder(source, Scope.of(table, table.name()), parameters)
                                    .bind(expression);
                    refuseQueries(source, expression, bound, "An index");
                    refuseVolatile(table, source, expression, bound, "An index");
                    return bound;
                });
    }

    /// Predicate of a partial index.
    public static Scalar indexed(Table table, SqlText source, Expression expression) {
        return indexed(table, source, expression, new ParameterTypes(0));
    }

    static Scalar indexed(
            Table table, SqlText source, Expression expression, ParameterTypes parameters) {
        return LargeStack.call(
                Nesting.isDeep(source),
                () -> {
                    Scalar bound =
                            binder(source, Scope.of(table, table.name()), parameters)
                                    .condition(expression, "WHERE");
                    refuseQueries(source, expression, bound, "An index");
                    refuseVolatile(table, source, expression, bound, "An index");
                    return bound;
                });
    }

    /// Value of a default or generated column.
    public static Scalar value(Table table, String text, Column target) {
        SqlText source = new SqlText(text);
        return value(table, source, Parser.expression(source, UserTypes.of(table)), target);
    }

    /// Value of a default or generated column, written in `source`.
    public static Scalar value(Table table, SqlText source, Expression expression, Column target) {
        return LargeStack.call(
                Nesting.isDeep(source), () -> bound(table, source, expression, target));
    }

    /// Checks that the value of `expression`, which an index or a generated column keeps, depends on its row alone.
    /// Definitions of earlier versions, which are loaded, may depend on more: see [#outside].
    ///
    /// @param bound from `expression`
    /// @param what the index or column, in words
    public static void refuseOutside(
            Table table, SqlText source, Expression expression, Scalar bound, String what) {
        Set<OutsideDependence> outside =
                LargeStack.call(
                        Nesting.isDeep(source),
                        () -> outside(table, source, expression, bound, null));
        if (!outside.isEmpty()) {
            OutsideDependence found = outside.iterator().next();
            throw source.error(
                    Kind.INVALID_DEFINITION,
                    expression.position(),
                    what
                            + " depends on its row alone: not on "
                            + found.words()
                            + "; "
                            + found.remedy());
        }
    }

    /// Dependences of a stored expression of `table`.
    ///
    /// @param bound from `text`
    /// @param of the enumeration for whose values it is asked; null for all
    public static Set<OutsideDependence> outside(
            Table table, String text, Scalar bound, @Nullable EnumType of) {
        SqlText source = new SqlText(text);
        return LargeStack.call(
                Nesting.isDeep(source),
                () ->
                        outside(
                                table,
                                source,
                                Parser.expression(source, UserTypes.of(table)),
                                bound,
                                of));
    }

    private static Set<OutsideDependence> outside(
            Table table,
            SqlText source,
            Expression expression,
            Scalar bound,
            @Nullable EnumType of) {
        ScalarBinder scalars = binder(source, Scope.of(table, table.name()));
        return OutsideDependence.of(table, expression, bound, scalars, of);
    }

    private static Scalar bound(Table table, SqlText source, Expression expression, Column target) {
        boolean generated = target.generated();
        Scope scope = generated ? Scope.of(table, table.name()) : Scope.EMPTY;
        Scalar bound =
                binder(source, scope)
                        .assign(
                                expression,
                                target.type(),
                                (generated ? "Column \"" : "The DEFAULT of \"")
                                        + target.name()
                                        + "\"");
        refuseQueries(source, expression, bound, generated ? "A generated column" : "A DEFAULT");
        if (generated) {
            refuseVolatile(table, source, expression, bound, "A generated column");
        }
        return bound;
    }

    private static void refuseQueries(
            SqlText source, Expression expression, Scalar bound, String what) {
        if (PlanParts.hasSubquery(bound)) {
            throw source.error(
                    Kind.NOT_SUPPORTED, expression.position(), what + " cannot ask a query");
        }
    }

    /// Rejects volatile expressions: a stored value must depend on its row alone.
    private static void refuseVolatile(
            Table table, SqlText source, Expression expression, Scalar scalar, String what) {
        boolean changing =
                scalar instanceof Scalar.Now
                        || (scalar instanceof FunctionCall call && call.function().hasEffects());
        if (changing) {
            throw source.error(
                    Kind.INVALID_DEFINITION,
                    expression.position(),
                    what + " may depend on its row only, not on the time, a sequence or chance");
        }
        if (scalar instanceof Scalar.ColumnRef column
                && table.columns().get(column.column()).generated()) {
            throw source.error(
                    Kind.INVALID_DEFINITION,
                    expression.position(),
                    what + " cannot use a generated column, as \"" + column.name() + "\" is");
        }
        Scalar.operands(scalar)
                .forEach(operand -> refuseVolatile(table, source, expression, operand, what));
    }

    /// Value of column `i` of `table` if INSERT gives none.
    public static Scalar filling(Catalog catalog, Table table, int i) {
        Column column = table.columns().get(i);
        return switch (column.filling()) {
            case null -> {
                DomainType domain = column.type().domain();
                String usual = domain == null ? null : domain.usual();
                yield usual == null
                        ? Scalar.Constant.ofNull(column.type())
                        : value(table, usual, column);
            }
            case ColumnDefault.Default value -> value(table, value.expression(), column);
            case ColumnDefault.Generated value -> Scalar.Constant.ofNull(column.type());
            case ColumnDefault.Identity identity -> {
                Sequence sequence = catalog.sequence(identity.sequence());
                if (sequence == null) {
                    throw new IllegalStateException(column.name() + " has lost its sequence");
                }
                yield SequenceFunctions.next(sequence);
            }
        };
    }

    /// Whether a default has the same value for all rows, evaluated at one moment.
    public static boolean isConstant(Scalar scalar) {
        return scalar instanceof Scalar.Constant
                || (!(scalar instanceof FunctionCall call && call.function().hasEffects())
                        && Scalar.isRowFree(scalar)
                        && Scalar.operands(scalar).stream().allMatch(TableExpressions::isConstant));
    }

    /// Estimates for the planner.
    ///
    /// @param statistics returns a table's statistics, or null for none
    public static Estimate estimate(
            java.util.function.Function<Table, @Nullable TableStatistics> statistics) {
        return new Estimate(statistics, TableExpressions::terms);
    }

    /// Binds the `terms` of an index.
    ///
    /// @param firstColumn position of the table's first column
    static BoundTerms terms(Table table, Index.Terms terms, int firstColumn) {
        List<Scalar> bound = new ArrayList<>();
        for (String text : terms.expressions()) {
            bound.add(moved(term(table, text), firstColumn));
        }
        String condition = terms.condition();
        Scalar where = condition == null ? null : moved(check(table, condition), firstColumn);
        return new BoundTerms(bound, where, firstColumn);
    }

    /// Whether the terms of `index` read column `column`.
    public static boolean reads(Table table, Index index, int column) {
        Index.Terms terms = index.terms();
        return terms != null && terms(table, terms, 0).reads(column);
    }

    /// Whether the expression `text` of a key reads column `column`.
    static boolean termReads(Table table, String text, int column) {
        BitSet used = new BitSet();
        PlanParts.columns(term(table, text), used);
        return used.get(column);
    }

    private static Scalar moved(Scalar scalar, int by) {
        return by == 0
                ? scalar
                : Replacement.of(
                        scalar,
                        leaf ->
                                leaf instanceof Scalar.ColumnRef ref
                                        ? new Scalar.ColumnRef(
                                                ref.column() + by,
                                                ref.type(),
                                                ref.nullable(),
                                                ref.name())
                                        : leaf);
    }
}

package dev.oriel.sql;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.table.Catalog;
import dev.oriel.table.Column;
import dev.oriel.table.Expressions;
import dev.oriel.table.Filling;
import dev.oriel.table.Sequence;
import dev.oriel.table.Table;
import dev.oriel.table.Tuple;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Binds what definitions of tables keep as text: defaults, checks, generated columns.
final class TableExpressions implements Expressions {
    /// Names in them mean columns of their table, and nothing else.
    private static final Catalog NOTHING = new Catalog(0, Map.of());

    private final InstantSource clock;

    TableExpressions(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Prepared prepare(Table table, String text, @Nullable Column target) {
        Scalar bound = target == null ? check(table, text) : value(table, text, target);
        Execution execution = new Execution(clock, new Execution.Cancellation(), new Tuple(0));
        CurrentRow row = new CurrentRow();
        Frame frame = new Frame(execution, row);
        return (transaction, of, out, column) -> {
            execution.start(transaction);
            row.set(of);
            bound.store(out, column, frame);
        };
    }

    private static ScalarBinder binder(SqlText source, Scope scope) {
        return new ScalarBinder(Surroundings.of(source, NOTHING, new ParameterTypes(0)), scope);
    }

    /// The condition of a check of `table`.
    static Scalar check(Table table, String text) {
        SqlText source = new SqlText(text);
        return check(table, source, Parser.expression(source));
    }

    /// The condition of a check, which stands in `source`.
    static Scalar check(Table table, SqlText source, Expression expression) {
        Scalar bound = binder(source, Scope.of(table, table.name())).condition(expression, "CHECK");
        refuseQueries(source, expression, bound, "A CHECK");
        return bound;
    }

    /// What an index finds rows by.
    static Scalar term(Table table, String text) {
        SqlText source = new SqlText(text);
        return term(table, source, Parser.expression(source));
    }

    /// The same, as it stands in `source`.
    static Scalar term(Table table, SqlText source, Expression expression) {
        Scalar bound = binder(source, Scope.of(table, table.name())).bind(expression);
        refuseQueries(source, expression, bound, "An index");
        refuseVolatile(table, source, expression, bound, "An index");
        return bound;
    }

    /// Which rows an index has.
    static Scalar indexed(Table table, SqlText source, Expression expression) {
        Scalar bound = binder(source, Scope.of(table, table.name())).condition(expression, "WHERE");
        refuseQueries(source, expression, bound, "An index");
        refuseVolatile(table, source, expression, bound, "An index");
        return bound;
    }

    /// The value of a default or generated column.
    static Scalar value(Table table, String text, Column target) {
        SqlText source = new SqlText(text);
        return value(table, source, Parser.expression(source), target);
    }

    /// The value of a default or generated column, which stands in `source`.
    static Scalar value(Table table, SqlText source, Expression expression, Column target) {
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

    /// What is stored must stay true: it may depend on the row alone.
    private static void refuseVolatile(
            Table table, SqlText source, Expression expression, Scalar scalar, String what) {
        boolean changing =
                scalar instanceof Scalar.Now
                        || (scalar instanceof FunctionCall call
                                && switch (call.function()) {
                                    case NEXTVAL, CURRVAL, SETVAL, LASTVAL -> true;
                                    default -> false;
                                });
        if (changing) {
            throw source.error(
                    Kind.INVALID_DEFINITION,
                    expression.position(),
                    what + " depends on its row alone: not on the time or a sequence");
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

    /// What column `i` of `table` gets where an INSERT names no value for it.
    static Scalar filling(Catalog catalog, Table table, int i) {
        Column column = table.columns().get(i);
        return switch (column.filling()) {
            case null -> Scalar.Constant.ofNull(column.type());
            case Filling.Default value -> value(table, value.expression(), column);
            case Filling.Generated value -> Scalar.Constant.ofNull(column.type());
            case Filling.Identity identity -> {
                Sequence sequence = catalog.sequence(identity.sequence());
                if (sequence == null) {
                    throw new IllegalStateException(column.name() + " has lost its sequence");
                }
                yield SequenceFunctions.next(sequence);
            }
        };
    }

    /// Whether a value that is the same for all can stand for a default that is given once.
    static boolean isConstant(Scalar scalar) {
        return scalar instanceof Scalar.Constant
                || (!(scalar instanceof FunctionCall call && call.function() == Function.NEXTVAL)
                        && Scalar.isRowFree(scalar)
                        && Scalar.operands(scalar).stream().allMatch(TableExpressions::isConstant));
    }
}

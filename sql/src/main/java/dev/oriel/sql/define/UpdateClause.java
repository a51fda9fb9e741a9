package dev.oriel.sql.define;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.bind.TableExpressions;
import dev.oriel.sql.plan.FunctionCall;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Alteration;
import dev.oriel.sql.syntax.Statement.FillingClause;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Table;
import java.util.List;

/// Defines ON UPDATE of a column: the value that an UPDATE gives to it if it does not set it.
final class UpdateClause {
    private final SqlText source;

    UpdateClause(SqlText source) {
        this.source = source;
    }

    /// `column` with the clause.
    Column with(Column column, FillingClause.Default clause) {
        Column plain = column.withFilling(null);
        Table alone = new Table(0, "t", List.of(plain), List.of(), List.of());
        boolean own = plain.type().user() != null || plain.type().element() != null;
        Scalar value =
                own
                        ? Scalar.Constant.ofNull(plain.type())
                        : TableExpressions.value(alone, source, clause.expression(), plain);
        if (own || draws(value)) {
            throw refused(
                    clause.position(),
                    "ON UPDATE is for columns of built-in types, and draws from no sequence; set the"
                            + " column in the UPDATE");
        }
        return column.withUpdate(clause.text());
    }

    private static boolean draws(Scalar value) {
        return (value instanceof FunctionCall call && isOfSequence(call))
                || Scalar.operands(value).stream().anyMatch(UpdateClause::draws);
    }

    private static boolean isOfSequence(FunctionCall call) {
        return switch (call.function()) {
            case NEXTVAL, CURRVAL, SETVAL, LASTVAL -> true;
            default -> false;
        };
    }

    /// Runs SET and DROP ON UPDATE.
    Table change(TableTransaction transaction, Table table, Alteration.SetUpdate set) {
        int i = Compiler.column(source, table, set.column());
        Column column = table.columns().get(i);
        FillingClause.Default clause = set.clause();
        boolean computed = column.filling() instanceof ColumnDefault.Generated;
        if (clause != null && computed) {
            throw refused(
                    set.column().position(),
                    "A generated column is computed at each change; it has no ON UPDATE");
        }
        Column changed = clause == null ? column.withUpdate(null) : with(column, clause);
        return transaction.redefine(Alterations.with(table, i, changed), null);
    }

    /// Runs SET and DROP DEFAULT ON NULL.
    Table change(TableTransaction transaction, Table table, Alteration.FillNull fill) {
        int i = Compiler.column(source, table, fill.column());
        Column changed = table.columns().get(i).withFillsNull(fill.on());
        return transaction.redefine(Alterations.with(table, i, changed), null);
    }

    /// Runs DROP EXPRESSION: the values that are stored stay.
    Table dropExpression(
            TableTransaction transaction, Table table, Alteration.DropExpression drop) {
        int i = Compiler.column(source, table, drop.column());
        Column column = table.columns().get(i);
        if (!column.generated()) {
            if (drop.ifExists()) {
                return table;
            }
            throw source.error(
                    Kind.OBJECT_STATE,
                    drop.column().position(),
                    "Column \""
                            + column.name()
                            + "\" is not a generated column; IF EXISTS leaves it as it is");
        }
        return transaction.redefine(Alterations.with(table, i, column.withFilling(null)), null);
    }

    private SqlException refused(int position, String message) {
        return source.error(Kind.NOT_SUPPORTED, position, message);
    }
}

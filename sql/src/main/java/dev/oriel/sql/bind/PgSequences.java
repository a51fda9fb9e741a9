package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.FunctionCall;
import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.SequenceFunctions;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.syntax.UserTypes;
import dev.oriel.sql.text.QualifiedName;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// PG_GET_SERIAL_SEQUENCE: the sequence that belongs to a column, as a name for NEXTVAL.
final class PgSequences {
    private final ScalarBinder scalars;

    PgSequences(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    Scalar bound(Expression.Call call) {
        Function function = Function.PG_GET_SERIAL_SEQUENCE;
        SqlText.Place place = scalars.source().at(call.position());
        return new FunctionCall.OfText(
                function,
                List.of(
                        scalars.text(call.arguments().get(0), function.name()),
                        scalars.text(call.arguments().get(1), function.name())),
                Typing.TEXT,
                (arguments, frame) -> {
                    String table = arguments.get(0).evalText(frame);
                    String column = arguments.get(1).evalText(frame);
                    return table == null || column == null
                            ? null
                            : name(frame.catalog(), table, column, place);
                });
    }

    private static @Nullable String name(
            Catalog catalog, String of, String column, SqlText.Place place) {
        QualifiedName name = QualifiedName.of(of);
        Table table = name == null ? null : catalog.table(name.path());
        if (table == null) {
            throw place.error(Kind.UNKNOWN_TABLE, "There is no table \"" + of + "\"");
        }
        int i = table.column(column);
        if (i < 0) {
            throw place.error(
                    Kind.UNKNOWN_COLUMN,
                    "Table \"" + table.name() + "\" has no column \"" + column + "\"");
        }
        for (Sequence sequence : catalog.sequences()) {
            if (belongs(catalog, table, table.columns().get(i), sequence)) {
                return Quoting.name(PgCatalog.called(sequence.schema()))
                        + "."
                        + Quoting.name(sequence.name());
            }
        }
        return null;
    }

    /// Adds the rows of pg_depend: the columns that sequences belong to.
    static void owners(PgRows rows, Catalog catalog) {
        for (Table table : catalog.tables()) {
            for (int i = 0; i < table.columns().size(); i++) {
                Column column = table.columns().get(i);
                boolean identity = column.filling() instanceof ColumnDefault.Identity;
                boolean valued = identity || column.filling() instanceof ColumnDefault.Default;
                for (Sequence sequence : valued ? catalog.sequences() : List.<Sequence>of()) {
                    if (belongs(catalog, table, column, sequence)) {
                        rows.add(
                                PgComments.CLASSES,
                                PgCatalog.oid(sequence.id()),
                                0,
                                PgComments.CLASSES,
                                PgCatalog.oid(table.id()),
                                i + 1,
                                identity ? "i" : "a");
                    }
                }
            }
        }
    }

    private static boolean belongs(Catalog catalog, Table table, Column column, Sequence sequence) {
        return switch (column.filling()) {
            case null -> false;
            case ColumnDefault.Identity identity -> identity.sequence() == sequence.id();
            case ColumnDefault.Default value ->
                    sequence.owner() == table.id()
                            && draws(
                                    Parser.expression(
                                            new SqlText(value.expression()), UserTypes.of(catalog)),
                                    sequence);
            case ColumnDefault.Generated _ -> false;
        };
    }

    private static boolean draws(Expression expression, Sequence sequence) {
        return (expression instanceof Expression.Call call
                        && Function.of(call.name()) == Function.NEXTVAL
                        && call.arguments().getFirst() instanceof Expression.Literal literal
                        && SequenceFunctions.means(literal.text(), sequence))
                || Expression.operands(expression).stream()
                        .anyMatch(operand -> draws(operand, sequence));
    }
}

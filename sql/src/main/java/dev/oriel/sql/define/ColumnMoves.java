package dev.oriel.sql.define;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.bind.TableExpressions;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.syntax.Alteration.ColumnPlace;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.TableTransaction.Rewrite;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Constraints;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Moves a column to another place in its table, which rewrites the rows.
final class ColumnMoves {
    private final SqlText source;
    private final TableTransaction transaction;

    ColumnMoves(SqlText source, TableTransaction transaction) {
        this.source = source;
        this.transaction = transaction;
    }

    /// `table` with its column `moved` at `place`.
    Table move(Table table, int moved, ColumnPlace place) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < table.columns().size(); i++) {
            order.add(i);
        }
        order.remove(/* index */ moved);
        int target = 0;
        if (place.beside() != null) {
            int beside = Compiler.column(source, table, place.beside());
            if (beside == moved) {
                throw source.error(
                        Kind.UNKNOWN_COLUMN,
                        place.beside().position(),
                        "The new column has no place beside itself; name another column");
            }
            target = order.indexOf(beside) + (place.after() ? 1 : 0);
        }
        order.add(target, moved);
        int[] places = new int[order.size()];
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < places.length; i++) {
            places[order.get(i)] = i;
            columns.add(table.columns().get(order.get(i)));
        }
        return transaction.redefine(
                ordered(table, columns, places), new Rewrite(moving(table, places), false, places));
    }

    private static Table ordered(Table table, List<Column> columns, int[] places) {
        Function<List<Integer>, List<Integer>> moved =
                positions -> positions.stream().map(i -> places[i]).toList();
        List<Index> indexes = new ArrayList<>();
        for (Index index : table.indexes()) {
            indexes.add(index.withColumns(moved.apply(index.columns())));
        }
        List<ForeignKey> keys = new ArrayList<>();
        for (ForeignKey key : table.constraints().foreignKeys()) {
            boolean self = key.parent() == table.id();
            keys.add(
                    key.withColumns(
                            moved.apply(key.columns()),
                            self ? moved.apply(key.parentColumns()) : key.parentColumns()));
        }
        Constraints before = table.constraints();
        return new Table(
                table.id(),
                table.name(),
                columns,
                moved.apply(table.primaryKey()),
                indexes,
                new Constraints(before.primaryKey(), before.checks(), keys),
                table.schema());
    }

    /// A column that is generated from column `i`; null if there is none.
    static @Nullable Column madeOf(Table table, int i) {
        for (Column column : table.columns()) {
            if (column.filling() instanceof ColumnDefault.Generated value) {
                BitSet used = new BitSet();
                PlanParts.columns(TableExpressions.value(table, value.expression(), column), used);
                if (used.get(i)) {
                    return column;
                }
            }
        }
        return null;
    }

    static TableTransaction.RowChange moving(Table table, int[] places) {
        return (old, out) -> {
            for (int i = 0; i < places.length; i++) {
                if (places[i] >= 0) {
                    out.copy(places[i], old, i, table.columns().get(i).type().shape());
                }
            }
        };
    }
}

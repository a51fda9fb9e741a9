package dev.oriel.graph.range;

import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;

/// Position in the ranges of an [IndexChoice]. It narrows the ranges as it advances, so a choice can be read once.
public final class IndexPlace {
    private final Table table;
    private final IndexChoice choice;
    private final List<Integer> columns;
    private int at;

    public IndexPlace(Table table, IndexChoice choice) {
        this.table = table;
        this.choice = choice;
        this.columns = columns(table, choice.index());
    }

    /// The columns that order the entries of `index`: its own, then the primary key's, unless they are among its
    /// own.
    static List<Integer> columns(Table table, Index index) {
        List<Integer> columns = new ArrayList<>(index.columns());
        if (!columns.containsAll(table.primaryKey())) {
            columns.addAll(table.primaryKey());
        }
        return columns;
    }

    public Index index() {
        return choice.index();
    }

    public boolean descending() {
        return choice.descending();
    }

    public boolean isDone() {
        return at >= choice.ranges().size();
    }

    /// The range to be read next.
    public KeyRange range() {
        return choice.ranges().get(at);
    }

    /// Moves past `row`, which lies in the range.
    public void passed(Row row) {
        KeyRange range = range();
        Tuple bound = descending() ? range.upper() : range.lower();
        boolean search =
                choice.index().kind() == Index.Kind.SEARCH; // the word stays: the row has the text
        for (int i = search ? 1 : 0; i < columns.size(); i++) {
            int column = columns.get(i);
            Type.Shape shape = table.columns().get(column).type().shape();
            bound.copy(i, row, column, shape);
        }
        int place = isAlone(row) ? choice.index().columns().size() : columns.size();
        if (descending()) {
            range.to(place, false);
        } else {
            range.from(place, false);
        }
    }

    /// Whether the row is alone with its values in a unique index. Its entry then may have no row key, and a bound
    /// with one would lie after the entry.
    private boolean isAlone(Row row) {
        Index index = choice.index();
        if (!index.unique()) {
            return false;
        }
        for (int column : index.columns()) {
            if (row.isNull(column)) {
                return false;
            }
        }
        return true;
    }

    public void nextRange() {
        at++;
    }
}

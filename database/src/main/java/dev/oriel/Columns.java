package dev.oriel;

import dev.oriel.sql.Prepared.OutputColumn;
import dev.oriel.table.definition.Type;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The columns of a statement's results: made once for all of them.
final class Columns {
    private final List<OutputColumn> columns;
    private final Type[] types;
    private final Type.Shape[] shapes;

    /// Columns by the labels looked up so far.
    private final Map<String, Integer> found = new HashMap<>();

    Columns(List<OutputColumn> columns) {
        this.columns = columns;
        this.types = new Type[columns.size()];
        this.shapes = new Type.Shape[columns.size()];
        for (int i = 0; i < types.length; i++) {
            types[i] = columns.get(i).type();
            shapes[i] = types[i].shape();
        }
    }

    /// Whether these columns were made from `list`, not from a list before the statement was replanned: equal types may
    /// have other labels.
    @SuppressWarnings("ReferenceEquality") // the very list
    boolean areOf(List<OutputColumn> list) {
        return list == columns;
    }

    int count() {
        return types.length;
    }

    OutputColumn column(int at) {
        return columns.get(at);
    }

    Type type(int at) {
        return types[at];
    }

    Type.Shape shape(int at) {
        return shapes[at];
    }

    /// Number, from 1, of the first column with this label, without regard to case.
    int find(String label) throws SQLException {
        Integer known = found.get(SqlStates.given(label, "label of a column"));
        if (known != null) {
            return known;
        }
        for (int i = 0; i < types.length; i++) {
            if (columns.get(i).name().equalsIgnoreCase(label)) {
                found.put(label, i + 1);
                return i + 1;
            }
        }
        List<String> names = columns.stream().map(OutputColumn::name).toList();
        throw SqlStates.exception(
                SqlStates.UNKNOWN_COLUMN,
                "The result has no column '"
                        + label
                        + "'; its columns are "
                        + String.join(", ", names));
    }
}

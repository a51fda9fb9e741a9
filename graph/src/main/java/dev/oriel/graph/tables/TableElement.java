package dev.oriel.graph.tables;

import dev.oriel.graph.element.OrielElement;
import dev.oriel.graph.element.Removal;
import dev.oriel.graph.value.ColumnValues;
import dev.oriel.table.value.Tuple;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.jspecify.annotations.Nullable;

/// A row of a table of a property graph, identified by its key. Its values are read when they are needed, and read
/// again after the transaction has changed. Belongs to one thread.
abstract sealed class TableElement permits TableVertex, TableEdge {
    private final RowGraph graph;
    private final ElementTable madeOf;
    private final Tuple key;
    private @Nullable String id;
    private @Nullable Tuple row;
    private @Nullable TableWork readBy;
    private long readAt;
    private @Nullable Removal removal;

    /// @param row the current row; null if it is not known
    TableElement(RowGraph graph, ElementTable of, Tuple key, @Nullable Tuple row) {
        this.graph = graph;
        this.madeOf = of;
        this.key = key;
        if (row != null) {
            know(row);
        }
    }

    private void know(@Nullable Tuple now) {
        TableWork work = graph.work();
        row = now;
        readBy = work;
        readAt = work.moment();
    }

    abstract Class<?> kind();

    /// The table of the row, in the current version of the catalog.
    abstract ElementTable table();

    public RowGraph inGraph() {
        return graph;
    }

    String labelName() {
        return madeOf.label();
    }

    public Tuple key() {
        return key;
    }

    String idText() {
        String made = id;
        if (made == null) {
            made = madeOf.id(key);
            id = made;
        }
        return made;
    }

    /// Whether it was removed through this object, in a transaction that was not rolled back.
    public boolean isRemoved() {
        Removal of = removal;
        return of != null && !of.isUndone();
    }

    void nowRemoved() {
        removal = graph.work().removal();
        row = null;
    }

    IllegalStateException gone() {
        return OrielElement.removed(kind(), idText());
    }

    /// The current row.
    @SuppressWarnings("ReferenceEquality") // compared by identity
    Tuple current() {
        if (isRemoved()) {
            throw gone();
        }
        TableWork work = graph.work();
        Tuple known = row;
        if (known == null || readBy != work || readAt != work.moment()) {
            known = work.row(table(), key);
            know(known);
        }
        if (known == null) {
            throw gone();
        }
        return known;
    }

    /// The values that are not NULL, by names of properties.
    Map<String, Object> propertyValues(String... names) {
        Map<String, Object> values = new LinkedHashMap<>();
        if (isRemoved()) {
            return values;
        }
        Tuple now = current();
        ElementTable of = table();
        of.properties()
                .forEach((name, column) -> {
                    Object value = of.value(now, column);
                    if (value != null && ElementHelper.keyExists(name, names)) {
                        values.put(name, value);
                    }
                });
        return values;
    }

    /// Sets a property, or makes it NULL.
    void set(String name, @Nullable Object value) {
        if (isRemoved()) {
            throw gone();
        }
        ElementTable of = table();
        int column = of.column(name);
        checkFree(of, name, column);
        boolean found =
                graph.work()
                        .update(
                                of,
                                key,
                                changed -> {
                                    if (value == null) {
                                        changed.setNull(column);
                                    } else {
                                        ColumnValues.put(changed, column, of.type(column), value);
                                    }
                                });
        if (!found) {
            throw gone();
        }
    }

    /// Refuses a change of the element's identity.
    void checkFree(ElementTable of, String name, int column) {
        if (of.isKey(column)) {
            throw new IllegalArgumentException(
                    "The property %s belongs to the key of %s and cannot be changed; add another element"
                            .formatted(name, labelName()));
        }
    }

    @Override
    public int hashCode() {
        return idText().hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TableElement element
                && element.kind() == kind()
                && element.idText().equals(idText())
                && element.graph.isOf(graph);
    }
}

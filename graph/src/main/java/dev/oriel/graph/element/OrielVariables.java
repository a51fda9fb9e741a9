package dev.oriel.graph.element;

import dev.oriel.graph.value.Bytes;
import dev.oriel.graph.value.ValueCodec;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.key.KeyRange;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.util.GraphVariableHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/// Variables of a graph, in its transactions.
public final class OrielVariables implements Graph.Variables {
    private final StoredGraph graph;

    public OrielVariables(StoredGraph graph) {
        this.graph = graph;
    }

    @Override
    public Set<String> keys() {
        Set<String> keys = new LinkedHashSet<>();
        GraphTransaction work = graph.work();
        try (GraphTransaction.Turn _ = work.turn()) {
            TableTransaction transaction = work.transaction();
            RowCursor cursor = transaction.cursor(graph.catalog().variables(), null);
            cursor.open(transaction, new KeyRange(1), false);
            while (cursor.next()) {
                keys.add(String.valueOf(cursor.textAt(0)));
            }
        }
        return keys;
    }

    @Override
    @SuppressWarnings("unchecked") // the caller knows the class
    public <R> Optional<R> get(String key) {
        byte[] bytes = graph.work().variable(key);
        return bytes == null
                ? Optional.empty()
                : Optional.ofNullable((R) ValueCodec.take(Bytes.over(bytes)));
    }

    @Override
    public void set(String key, Object value) {
        GraphVariableHelper.validateVariable(key, value);
        Bytes out = new Bytes();
        try {
            ValueCodec.put(out, value);
        } catch (IllegalArgumentException e) {
            throw Graph.Variables.Exceptions.dataTypeOfVariableValueNotSupported(value, e);
        }
        graph.work().variable(key, out.copy());
    }

    @Override
    public void remove(String key) {
        graph.work().variable(key, null);
    }

    @Override
    public String toString() {
        return StringFactory.graphVariablesString(this);
    }
}

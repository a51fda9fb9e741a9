package dev.oriel.graph.traversal;

import dev.oriel.graph.range.Conditions;
import dev.oriel.graph.range.IndexChoice;
import dev.oriel.graph.tables.EdgeEnds;
import dev.oriel.graph.tables.ElementTable;
import dev.oriel.graph.tables.RowGraph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/// `V()` or `E()` with conditions over the tables of a [RowGraph], by their primary keys and indexes.
public final class TableGraphStep<S, E extends Element> extends FoldedGraphStep<S, E> {
    private static final long serialVersionUID = 1L;

    TableGraphStep(GraphStepContract<S, E> original) {
        super(original);
    }

    private RowGraph graph() {
        return (RowGraph) getTraversal().getGraph().orElseThrow();
    }

    @Override
    Iterator<? extends Element> withIds(Object... wanted) {
        return returnsVertex() ? graph().vertices(wanted) : graph().edges(wanted);
    }

    /// The tables whose labels and properties can satisfy the conditions: rows lack a property without a column.
    private List<ElementTable> tables() {
        List<ElementTable> passing = new ArrayList<>();
        for (ElementTable table : all()) {
            if (Conditions.pass(getHasContainers(), table.label()) && hasAll(table)) {
                passing.add(table);
            }
        }
        return passing;
    }

    private Collection<ElementTable> all() {
        return returnsVertex()
                ? graph().vertexTables()
                : graph().edgeTables().stream().map(EdgeEnds::edges).toList();
    }

    private boolean hasAll(ElementTable table) {
        for (HasContainer condition : getHasContainers()) {
            if (Conditions.isOfProperty(condition)
                    && !table.properties().containsKey(condition.getKey())) {
                return false;
            }
        }
        return true;
    }

    private @Nullable IndexChoice choice(ElementTable table) {
        return IndexChoice.best(
                table.table(),
                table.accesses(),
                table.indexedProperties(),
                getHasContainers(),
                order());
    }

    @Override
    Iterator<? extends Element> found() {
        List<Iterator<Element>> parts = new ArrayList<>();
        for (ElementTable table : tables()) {
            IndexChoice choice = choice(table);
            List<HasContainer> rest = rest(choice);
            if (choice == null) {
                checkIndexed(table.label(), rest);
                parts.add(Conditions.filtered(rows(table, table.all()), rest, limit()));
            } else {
                parts.add(part(rows(table, choice), rest, choice));
            }
        }
        return Conditions.concat(parts);
    }

    private CloseableIterator<Element> rows(ElementTable table, IndexChoice choice) {
        return graph().elements(table, choice, returnsVertex());
    }

    @Override
    long countFound() {
        long count = 0;
        for (ElementTable table : tables()) {
            IndexChoice choice = choice(table);
            List<HasContainer> rest = rest(choice);
            IndexChoice all = choice == null ? table.all() : choice;
            if (rest.isEmpty() && graph().areElements(table, returnsVertex())) {
                count += graph().work().count(table, all);
            } else {
                if (choice == null) {
                    checkIndexed(table.label(), rest);
                }
                count += Conditions.count(rows(table, all), rest, limit());
            }
        }
        return count;
    }

    @Override
    List<String> plan() {
        List<String> words = new ArrayList<>();
        for (ElementTable table : tables()) {
            IndexChoice choice = choice(table);
            if (choice != null) {
                words.add(table.label() + " by " + Conditions.words(choice, first()));
            }
        }
        return words;
    }

    @Override
    public TableGraphStep<S, E> clone() {
        return (TableGraphStep<S, E>) super.clone();
    }
}

package dev.oriel.graph.range;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.PropertyKeys;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.jspecify.annotations.Nullable;

/// The adjacent edges of a vertex selected by conditions on sort keys: a range of the edges of one label, usable
/// for any vertex.
///
/// @param ofSorts the range, over the sort keys only
/// @param met conditions that need not be checked for each edge
public record SortRange(EdgeLabel label, KeyRange ofSorts, List<HasContainer> met) {
    /// The range selected by `conditions`, or null if they bound no sort key, or select several ranges.
    public static @Nullable SortRange of(
            EdgeLabel label, PropertyKeys keys, List<HasContainer> conditions) {
        if (label.sortKeys().length == 0) {
            return null;
        }
        List<Integer> columns = new ArrayList<>();
        Arrays.stream(label.sortKeys()).forEach(columns::add);
        Index sorts = new Index("", Index.Kind.BTREE, false, columns);
        IndexChoice choice =
                IndexChoice.of(
                        label.table(), sorts, IndexedProperty.of(label.table(), keys), conditions);
        return choice == null || choice.ranges().size() != 1
                ? null
                : new SortRange(label, choice.ranges().getFirst(), choice.met());
    }

    /// Sets `range` to the edges of `vertex`.
    public void put(long vertex, KeyRange range) {
        range.open();
        range.lower().setLong(0, vertex);
        range.upper().setLong(0, vertex);
        copy(ofSorts.lower(), ofSorts.lowerColumns(), range.lower());
        copy(ofSorts.upper(), ofSorts.upperColumns(), range.upper());
        range.from(
                1 + ofSorts.lowerColumns(),
                ofSorts.lowerColumns() == 0 || ofSorts.lowerInclusive());
        range.to(
                1 + ofSorts.upperColumns(),
                ofSorts.upperColumns() == 0 || ofSorts.upperInclusive());
    }

    private void copy(Tuple from, int count, Tuple to) {
        for (int i = 0; i < count; i++) {
            int column = label.sortKeys()[i];
            Type.Shape shape = label.table().columns().get(column).type().shape();
            to.copy(1 + i, from, i, shape);
        }
    }
}

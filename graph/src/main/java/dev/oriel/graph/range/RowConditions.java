package dev.oriel.graph.range;

import dev.oriel.graph.catalog.Columns;
import dev.oriel.graph.catalog.Properties;
import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.catalog.PropertyKeys;
import dev.oriel.table.value.Row;
import java.util.List;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.jspecify.annotations.Nullable;

/// Conditions on properties of one label's elements, checked on their rows: a value in a column is read without
/// the other properties. If an element has a bag, it may hold further values of a key with a column, so all
/// properties are read.
public final class RowConditions {
    private final Columns columns;
    private final PropertyKeys keys;
    private final List<Test> tests;

    private RowConditions(Columns columns, PropertyKeys keys, List<Test> tests) {
        this.columns = columns;
        this.keys = keys;
        this.tests = tests;
    }

    /// One condition.
    ///
    /// @param key null if no element has such a property
    /// @param column the column of the key; -1 if its values are in the bag
    /// @param comparison the condition as a comparison of integers, if it is one
    private record Test(
            @Nullable PropertyKey key,
            int column,
            Predicate<Object> predicate,
            @Nullable Comparison comparison) {}

    /// A comparison of an integer column with an integer.
    private record Comparison(Compare compare, long bound) {
        boolean meets(long value) {
            int order = Long.compare(value, bound);
            return switch (compare) {
                case eq -> order == 0;
                case neq -> order != 0;
                case gt -> order > 0;
                case gte -> order >= 0;
                case lt -> order < 0;
                case lte -> order <= 0;
            };
        }
    }

    /// The conditions for rows; null if one is on an id or a label.
    public static @Nullable RowConditions of(
            List<HasContainer> conditions, Columns columns, PropertyKeys keys) {
        for (HasContainer condition : conditions) {
            if (!Conditions.isOfProperty(condition)) {
                return null;
            }
        }
        List<Test> tests = conditions.stream().map(each -> test(each, columns, keys)).toList();
        return new RowConditions(columns, keys, tests);
    }

    @SuppressWarnings("unchecked") // property values have no static type
    private static Test test(HasContainer condition, Columns columns, PropertyKeys keys) {
        PropertyKey key = keys.byName(condition.getKey());
        int column = key == null ? -1 : columns.of(key);
        P<?> predicate = condition.getPredicate();
        return new Test(
                key,
                column,
                (Predicate<Object>) (Object) predicate,
                key == null || column < 0 ? null : comparison(predicate, key));
    }

    private static @Nullable Comparison comparison(P<?> predicate, PropertyKey key) {
        boolean whole =
                switch (key.type()) {
                    case BYTE, SHORT, INT, LONG -> true;
                    case BOOLEAN, FLOAT, DOUBLE, TEXT, BLOB, DATE, UUID, OBJECT -> false;
                    case null -> false;
                };
        return whole
                        && predicate.getClass() == P.class
                        && predicate.getBiPredicate() instanceof Compare compare
                        && (predicate.getValue() instanceof Integer
                                || predicate.getValue() instanceof Long)
                ? new Comparison(compare, ((Number) predicate.getValue()).longValue())
                : null;
    }

    /// Whether the element in `row` satisfies all conditions.
    public boolean meets(Row row) {
        if (!row.isNull(columns.bag())) {
            return meets(columns.read(row, keys));
        }
        for (Test test : tests) {
            if (!meets(test, row)) {
                return false;
            }
        }
        return true;
    }

    private static boolean meets(Test test, Row row) {
        PropertyKey key = test.key();
        if (key == null || test.column() < 0 || row.isNull(test.column())) {
            return false; // a missing property satisfies no condition
        }
        Comparison comparison = test.comparison();
        return comparison != null
                ? comparison.meets(row.longAt(test.column()))
                : test.predicate().test(Columns.columnType(key).take(row, test.column()));
    }

    private boolean meets(Properties properties) {
        for (Test test : tests) {
            if (!meets(test, properties)) {
                return false;
            }
        }
        return true;
    }

    private static boolean meets(Test test, Properties properties) {
        PropertyKey key = test.key();
        for (Properties.Entry entry : properties.entries()) {
            if (key != null
                    && entry.key().number() == key.number()
                    && test.predicate().test(entry.value())) {
                return true;
            }
        }
        return false;
    }
}

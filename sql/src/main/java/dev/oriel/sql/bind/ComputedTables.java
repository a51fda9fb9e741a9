package dev.oriel.sql.bind;

import dev.oriel.sql.ComputedTable;
import dev.oriel.sql.JavaAggregate;
import dev.oriel.sql.JavaFunction;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.syntax.WindowFunction;
import dev.oriel.store.UsageException;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/// Registry of Java extensions: computed tables, by schema and name regardless of case, functions and aggregates.
/// Safe for use by any number of threads; entries are never removed. The built-in tables are added at the first
/// lookup, as many databases are opened without one.
public final class ComputedTables {
    private final ConcurrentSkipListMap<String, ComputedTable> byName =
            new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<String, JavaFunction> functions =
            new ConcurrentSkipListMap<>(String.CASE_INSENSITIVE_ORDER);
    private final ConcurrentSkipListMap<String, JavaAggregate> aggregates =
            new ConcurrentSkipListMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Runnable addUsual;
    private volatile boolean hasUsual;

    /// @param addUsual adds the built-in tables
    public ComputedTables(Runnable addUsual) {
        this.addUsual = addUsual;
    }

    /// An empty registry.
    public ComputedTables() {
        this(() -> {});
    }

    private Map<String, ComputedTable> byName() {
        if (!hasUsual) {
            synchronized (addUsual) {
                if (!hasUsual) {
                    addUsual.run();
                    hasUsual = true;
                }
            }
        }
        return byName;
    }

    public synchronized void add(JavaFunction function) {
        checkFree(function.name());
        functions.put(function.name(), function);
    }

    public synchronized void add(JavaAggregate aggregate) {
        checkFree(aggregate.name());
        aggregates.put(aggregate.name(), aggregate);
    }

    private void checkFree(String name) {
        boolean taken =
                functions.containsKey(name)
                        || aggregates.containsKey(name)
                        || Function.of(name) != null
                        || AggregateFunction.of(name) != null
                        || WindowFunction.of(name) != null;
        if (taken) {
            throw new UsageException("There is a function of this name already", "name=" + name);
        }
    }

    /// The scalar function registered from Java, or null.
    @Nullable JavaFunction function(String name) {
        return functions.get(name);
    }

    /// The aggregate registered from Java, or null.
    @Nullable JavaAggregate aggregate(String name) {
        return aggregates.get(name);
    }

    /// Scalar functions registered from Java, by name.
    public Collection<JavaFunction> functions() {
        return functions.values();
    }

    /// Aggregates registered from Java, by name.
    public Collection<JavaAggregate> aggregates() {
        return aggregates.values();
    }

    public void add(ComputedTable table) {
        if (byName.putIfAbsent(key(table.schema(), table.name()), table) != null) {
            throw new UsageException(
                    "There is a table function of this name already; choose another one",
                    "name=" + table.qualifiedName());
        }
    }

    /// The table, or null.
    @Nullable ComputedTable find(String schema, String name) {
        return byName().get(key(schema, name));
    }

    /// The table called `name` in the first schema that has one, or null.
    @Nullable ComputedTable find(String name) {
        for (ComputedTable table : byName().values()) {
            if (table.name().equalsIgnoreCase(name)) {
                return table;
            }
        }
        return null;
    }

    /// All tables, by schema and name.
    public Collection<ComputedTable> all() {
        return byName().values();
    }

    Set<String> schemas() {
        Set<String> schemas = new TreeSet<>();
        byName().values().forEach(table -> schemas.add(table.schema()));
        return schemas;
    }

    private static String key(String schema, String name) {
        return schema.toUpperCase(Locale.ROOT) + "." + name.toUpperCase(Locale.ROOT);
    }
}

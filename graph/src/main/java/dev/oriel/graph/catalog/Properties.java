package dev.oriel.graph.catalog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The properties of one element, decoded, in the order in which they were set. Belongs to one thread.
///
/// The number of a removed property is not reused, because ids of properties contain it. If it was the highest of
/// its key, it is remembered.
public final class Properties {
    private final List<Entry> entries = new ArrayList<>();

    /// Highest number of a removed property, by number of a key.
    private Map<Integer, Long> given = Map.of();

    /// One property.
    public static final class Entry {
        private final PropertyKey key;
        private long number;
        private Object value;
        private Map<PropertyKey, Object> meta = Map.of();
        private @Nullable Object id;

        Entry(PropertyKey key, Object value, long number) {
            this.key = key;
            this.value = value;
            this.number = number;
        }

        public PropertyKey key() {
            return key;
        }

        public Object value() {
            return value;
        }

        /// Number that distinguishes the properties of one key; 0 for the first one ever.
        public long number() {
            return number;
        }

        public void number(long other) {
            number = other;
        }

        public Map<PropertyKey, Object> meta() {
            return meta;
        }

        public void meta(PropertyKey of, Object metaValue) {
            if (meta.isEmpty()) {
                meta = new LinkedHashMap<>(4);
            }
            meta.put(of, metaValue);
        }

        /// The user-supplied id, or null.
        public @Nullable Object id() {
            return id;
        }

        public void id(@Nullable Object given) {
            id = given;
        }

        /// Whether it has an id or meta-properties besides the value.
        boolean isMore() {
            return id != null || !meta.isEmpty();
        }

        public void removeMeta(PropertyKey of) {
            if (!meta.isEmpty()) {
                meta.remove(of);
            }
        }
    }

    public List<Entry> entries() {
        return entries;
    }

    Entry add(PropertyKey key, Object value, long number) {
        Entry entry = new Entry(key, value, number);
        entries.add(entry);
        return entry;
    }

    /// Adds a property of `key`.
    public Entry append(PropertyKey key, Object value) {
        return add(key, value, highest(key) + 1);
    }

    /// Sets the only property of `key`: the first existing one gets the new value and loses its meta-properties.
    public Entry set(PropertyKey key, Object value) {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).key.number() == key.number()) {
                Entry entry = new Entry(key, value, entries.get(i).number);
                entries.set(i, entry);
                removeAfter(key, i);
                return entry;
            }
        }
        return append(key, value);
    }

    private void removeAfter(PropertyKey key, int at) {
        long highest = -1;
        for (int i = entries.size() - 1; i > at; i--) {
            if (entries.get(i).key.number() == key.number()) {
                highest = Math.max(highest, entries.remove(i).number);
            }
        }
        if (highest >= 0) {
            given(key, highest);
        }
    }

    /// The highest number that a property of `key` has or had; -1 if there was none.
    private long highest(PropertyKey key) {
        long highest = given.getOrDefault(key.number(), -1L);
        for (Entry entry : entries) {
            if (entry.key.number() == key.number()) {
                highest = Math.max(highest, entry.number);
            }
        }
        return highest;
    }

    /// Notes the `number` of a removed property of `key`.
    void given(PropertyKey key, long number) {
        if (number > highest(key)) {
            if (given.isEmpty()) {
                given = new LinkedHashMap<>(4);
            }
            given.put(key.number(), number);
        }
    }

    /// Highest number of a removed property, by number of a key, if no existing property has a higher one.
    Map<Integer, Long> given() {
        for (Entry entry : given.isEmpty() ? List.<Entry>of() : entries) {
            given.computeIfPresent(
                    entry.key.number(), (_, gone) -> gone > entry.number ? gone : null);
        }
        return given;
    }

    public @Nullable Entry first(PropertyKey key) {
        for (Entry entry : entries) {
            if (entry.key.number() == key.number()) {
                return entry;
            }
        }
        return null;
    }

    /// Number of properties of `key`.
    public int count(PropertyKey key) {
        int count = 0;
        for (Entry entry : entries) {
            count += entry.key.number() == key.number() ? 1 : 0;
        }
        return count;
    }

    public @Nullable Entry find(PropertyKey key, long number) {
        for (Entry entry : entries) {
            if (entry.key.number() == key.number() && entry.number == number) {
                return entry;
            }
        }
        return null;
    }

    /// Removes one property; its number is not reused.
    public boolean remove(PropertyKey key, long number) {
        boolean removed =
                entries.removeIf(
                        entry -> entry.key.number() == key.number() && entry.number == number);
        if (removed) {
            given(key, number);
        }
        return removed;
    }

    /// Removes all properties of `key`, and forgets the removed numbers.
    public boolean removeAll(PropertyKey key) {
        if (!given.isEmpty()) {
            given.remove(key.number());
        }
        return entries.removeIf(entry -> entry.key.number() == key.number());
    }
}

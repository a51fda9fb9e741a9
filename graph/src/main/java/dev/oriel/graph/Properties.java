package dev.oriel.graph;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The properties of one element, decoded, in the order in which they were set. Belongs to one thread.
final class Properties {
    private final List<Entry> entries = new ArrayList<>();

    /// One property.
    static final class Entry {
        private final PropertyKey key;
        private final long number;
        private Object value;
        private Map<PropertyKey, Object> meta = Map.of();
        private @Nullable Object id;

        Entry(PropertyKey key, Object value, long number) {
            this.key = key;
            this.value = value;
            this.number = number;
        }

        PropertyKey key() {
            return key;
        }

        Object value() {
            return value;
        }

        /// Tells apart the properties of one key; 0 of the first.
        long number() {
            return number;
        }

        Map<PropertyKey, Object> meta() {
            return meta;
        }

        void meta(PropertyKey of, Object metaValue) {
            if (meta.isEmpty()) {
                meta = new LinkedHashMap<>(4);
            }
            meta.put(of, metaValue);
        }

        /// As a user gave it, or null.
        @Nullable Object id() {
            return id;
        }

        void id(@Nullable Object given) {
            id = given;
        }

        /// Whether there is more to it than a value.
        boolean isMore() {
            return id != null || !meta.isEmpty();
        }

        void removeMeta(PropertyKey of) {
            if (!meta.isEmpty()) {
                meta.remove(of);
            }
        }
    }

    List<Entry> entries() {
        return entries;
    }

    Entry add(PropertyKey key, Object value, long number) {
        Entry entry = new Entry(key, value, number);
        entries.add(entry);
        return entry;
    }

    /// One more of `key`.
    Entry append(PropertyKey key, Object value) {
        long number = 0;
        for (Entry entry : entries) {
            if (entry.key.number() == key.number()) {
                number = Math.max(number, entry.number + 1);
            }
        }
        return add(key, value, number);
    }

    /// The only one of `key` from now on; its meta-properties are gone.
    Entry set(PropertyKey key, Object value) {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).key.number() == key.number()) {
                Entry entry = new Entry(key, value, 0);
                entries.set(i, entry);
                removeAfter(key, i);
                return entry;
            }
        }
        return add(key, value, 0);
    }

    private void removeAfter(PropertyKey key, int at) {
        for (int i = entries.size() - 1; i > at; i--) {
            if (entries.get(i).key.number() == key.number()) {
                entries.remove(i);
            }
        }
    }

    @Nullable Entry first(PropertyKey key) {
        for (Entry entry : entries) {
            if (entry.key.number() == key.number()) {
                return entry;
            }
        }
        return null;
    }

    @Nullable Entry find(PropertyKey key, long number) {
        for (Entry entry : entries) {
            if (entry.key.number() == key.number() && entry.number == number) {
                return entry;
            }
        }
        return null;
    }

    boolean remove(PropertyKey key, long number) {
        return entries.removeIf(
                entry -> entry.key.number() == key.number() && entry.number == number);
    }
}

package dev.oriel.graph.catalog;

import dev.oriel.store.CorruptionException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The property keys of a graph, by name and by number. Immutable.
public record PropertyKeys(Map<String, PropertyKey> byName, List<@Nullable PropertyKey> all) {
    /// Number that marks the id of a vertex property, and is no key's.
    static final int ID = 0;

    static final PropertyKeys NONE =
            new PropertyKeys(Map.of(), Collections.singletonList((PropertyKey) null));

    public @Nullable PropertyKey byName(String name) {
        return byName.get(name);
    }

    PropertyKey byNumber(int number) {
        PropertyKey key = number < all.size() ? all.get(number) : null;
        if (key == null) {
            throw new CorruptionException(
                    "An element has a property of an unknown key; run check", "key=" + number);
        }
        return key;
    }

    /// The number of the next key.
    int next() {
        return all.size();
    }

    /// A copy with `key` added, or replacing the key with its number.
    PropertyKeys with(PropertyKey key) {
        Map<String, PropertyKey> names = new HashMap<>(byName);
        List<@Nullable PropertyKey> numbers = new ArrayList<>(all);
        while (numbers.size() <= key.number()) {
            numbers.add(null);
        }
        numbers.set(key.number(), key);
        names.put(key.name(), key);
        return new PropertyKeys(names, numbers);
    }

    PropertyKeys without(PropertyKey key) {
        Map<String, PropertyKey> names = new HashMap<>(byName);
        List<@Nullable PropertyKey> numbers = new ArrayList<>(all);
        names.remove(key.name());
        numbers.set(key.number(), null); // its number is not reused
        return new PropertyKeys(names, numbers);
    }
}

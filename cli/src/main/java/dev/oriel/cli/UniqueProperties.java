package dev.oriel.cli;

import java.util.Properties;
import java.util.Set;

/// Properties that refuse a repeated key: a reader of the file could not tell which value counts. Of some keys several
/// values may be given; they become one, with [#BETWEEN] between them.
final class UniqueProperties extends Properties {
    private static final long serialVersionUID = 1;

    static final String BETWEEN = "\n";

    /// Thrown at a repeated key.
    static final class Twice extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final String key;

        Twice(String key) {
            super("A key comes twice");
            this.key = key;
        }

        String key() {
            return key;
        }
    }

    private final transient Set<String> repeatable;

    UniqueProperties(Set<String> repeatable) {
        this.repeatable = repeatable;
    }

    @Override
    public synchronized Object put(Object key, Object value) {
        if (!containsKey(key)) {
            return super.put(key, value);
        }
        if (!repeatable.contains(key)) {
            throw new Twice(String.valueOf(key));
        }
        return super.put(key, getProperty(String.valueOf(key)) + BETWEEN + value);
    }
}

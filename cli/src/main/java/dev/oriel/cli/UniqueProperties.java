package dev.oriel.cli;

import java.util.Properties;

/// Properties that refuse a repeated key: a reader of the file could not tell which value counts.
final class UniqueProperties extends Properties {
    private static final long serialVersionUID = 1;

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

    @Override
    public synchronized Object put(Object key, Object value) {
        if (containsKey(key)) {
            throw new Twice(String.valueOf(key));
        }
        return super.put(key, value);
    }
}

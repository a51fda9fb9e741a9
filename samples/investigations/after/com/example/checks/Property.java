package com.example.checks;

/// A key and a value of the type that the key wants.
record Property(String key, Object value, Class<?> type) {
    Property {
        Checks.checkArgument(key != null, "A property needs a key");
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(
                    "'" + value + "' is no value of " + key + ": " + type.getSimpleName() + " expected");
        }
    }
}

package dev.oriel.kv;

/// A change and its key: a part of a batch, see [Bucket#batch].
///
/// ```java
/// new KeyedChange("s-1", new Change.Remove())
/// ```
///
/// @param key text of 1 to 250 characters
/// @param cas the CAS that the entry must have; 0 for any
public record KeyedChange(String key, long cas, Change change) {
    /// A change that accepts any CAS.
    public KeyedChange(String key, Change change) {
        this(key, 0, change);
    }
}

package dev.oriel.kv;

/// A change and its key: a part of a batch.
///
/// @param cas the entry must have this number; 0 where any will do
public record KeyedChange(String key, long cas, Change change) {
    /// One that takes the entry as it is.
    public KeyedChange(String key, Change change) {
        this(key, 0, change);
    }
}

package dev.oriel.store;

/// Entries to be loaded, one after the other ([Transaction#load]).
@FunctionalInterface
public interface Entries {
    /// Points `key` and `value` at the next entry; they are read before the next call. False if there is none left.
    boolean next(Slice key, Slice value);
}

package dev.oriel.store;

/// A named, ordered map from keys to values, both bytes. Only a handle: it holds no pages and may be kept for as
/// long as the tree exists. The page number of a tree's root never changes.
///
/// @param name unique in the store
/// @param root number of its root page
public record Tree(String name, long root) {}

/// TinkerPop's transactions: of one thread, of several threads, of one snapshot, and as faces of a shared
/// transaction.
@NullMarked
package dev.oriel.graph.transaction;

import org.jspecify.annotations.NullMarked;

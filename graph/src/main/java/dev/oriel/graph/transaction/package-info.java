/// TinkerPop's transactions: of a thread, of several threads, of one snapshot.
@NullMarked
package dev.oriel.graph.transaction;

import org.jspecify.annotations.NullMarked;

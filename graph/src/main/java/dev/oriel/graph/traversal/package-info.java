/// Optimization of traversals before they run, and the steps that replace TinkerPop's, for both kinds of graphs
/// ([OrielStrategies]).
@NullMarked
package dev.oriel.graph.traversal;

import org.jspecify.annotations.NullMarked;

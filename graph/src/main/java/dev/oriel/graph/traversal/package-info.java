/// What is made of traversals before they run, and the steps that take the place of others, over graphs of either
/// kind ([OrielStrategies]).
@NullMarked
package dev.oriel.graph.traversal;

import org.jspecify.annotations.NullMarked;

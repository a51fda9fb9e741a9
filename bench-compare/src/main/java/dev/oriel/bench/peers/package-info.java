/// The peers: one narrow adapter an engine.
@NullMarked
package dev.oriel.bench.peers;

import org.jspecify.annotations.NullMarked;

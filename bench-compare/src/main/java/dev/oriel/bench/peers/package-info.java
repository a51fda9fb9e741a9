/// The peers: one narrow adapter per engine.
@NullMarked
package dev.oriel.bench.peers;

import org.jspecify.annotations.NullMarked;

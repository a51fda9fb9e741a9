/// Oriel for Flyway, which finds it by itself on the class path.
@NullMarked
package dev.oriel.flyway;

import org.jspecify.annotations.NullMarked;

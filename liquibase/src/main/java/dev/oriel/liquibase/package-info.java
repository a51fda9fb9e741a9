/// Oriel for Liquibase, which finds it by itself on the class path.
@NullMarked
package dev.oriel.liquibase;

import org.jspecify.annotations.NullMarked;

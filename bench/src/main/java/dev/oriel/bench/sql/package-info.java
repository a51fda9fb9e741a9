/// Databases accessed by JDBC, ours among them, under the words that each product has for the same.
@NullMarked
package dev.oriel.bench.sql;

import org.jspecify.annotations.NullMarked;

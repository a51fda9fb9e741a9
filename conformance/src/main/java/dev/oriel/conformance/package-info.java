/// Runs corpora of SQL through the JDBC driver, and reports differing answers.
@NullMarked
package dev.oriel.conformance;

import org.jspecify.annotations.NullMarked;

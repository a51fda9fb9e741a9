/// Runs corpora of SQL through the JDBC driver, and says where the answers differ.
@NullMarked
package dev.oriel.conformance;

import org.jspecify.annotations.NullMarked;

/// Loads past the log, of CSV files ([CsvLoad]) and of what a program makes ([GraphLoad]).
@NullMarked
package dev.oriel.graph.load;

import org.jspecify.annotations.NullMarked;

/// Bulk loads without logging: of CSV files ([CsvLoad]), and of elements made by a program ([GraphLoad]).
@NullMarked
package dev.oriel.graph.load;

import org.jspecify.annotations.NullMarked;

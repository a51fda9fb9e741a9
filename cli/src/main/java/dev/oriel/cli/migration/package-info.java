/// Databases of other products, read through JDBC and written into a new database: `oriel import`.
@NullMarked
package dev.oriel.cli.migration;

import org.jspecify.annotations.NullMarked;

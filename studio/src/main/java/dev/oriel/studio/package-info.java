/// The studio: one page over a database, and the HTTP interface under it.
@NullMarked
package dev.oriel.studio;

import org.jspecify.annotations.NullMarked;

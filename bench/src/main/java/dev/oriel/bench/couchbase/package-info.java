/// Key-value servers over a socket, and the article's ways to tell a status by its number.
@NullMarked
package dev.oriel.bench.couchbase;

import org.jspecify.annotations.NullMarked;

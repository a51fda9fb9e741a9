/// What Hibernate has to know of Oriel's SQL. On the class path it is found by itself.
@NullMarked
package dev.oriel.hibernate;

import org.jspecify.annotations.NullMarked;

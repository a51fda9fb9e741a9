/// Oriel's SQL for Hibernate, which finds it by itself on the class path.
@NullMarked
package dev.oriel.hibernate;

import org.jspecify.annotations.NullMarked;

/// What Oriel's own modules share with this one, and its users do not see.
@NullMarked
package dev.oriel.internal;

import org.jspecify.annotations.NullMarked;

/// Parts that Oriel's own modules share with this one and that are hidden from users.
@NullMarked
package dev.oriel.internal;

import org.jspecify.annotations.NullMarked;

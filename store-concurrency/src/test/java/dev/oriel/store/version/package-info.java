/// What two threads may see of the page table and of the registry of readers: races under jcstress.
/// They lie in the package of what they test, and both on the class path.
@NullMarked
package dev.oriel.store.version;

import org.jspecify.annotations.NullMarked;

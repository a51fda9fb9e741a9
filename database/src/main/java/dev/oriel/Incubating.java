package dev.oriel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks young API: it may change or disappear in a minor release, and the changelog says so. All other API keeps its
/// meaning until the next major release.
///
/// ```java
/// @Incubating
/// public void dump(Path file) { ... }
/// ```
/// On a type it covers all members. A type that only incubating methods return is incubating too:
/// [dev.oriel.kv.OrderedMap] with its keys, values, ranges and cursors. The annotation has no effect at run time.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR, ElementType.FIELD})
public @interface Incubating {}

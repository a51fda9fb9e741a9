package dev.oriel.profiler;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A method or constructor whose calls the [Agent] counts and times in every profile, whatever its
/// include patterns are. Without the agent it has no effect.
///
/// The call is named `class.method`, like any other. A value replaces the method's name, a prefix the class's, so
/// that related calls can share a prefix. For example, `@Watched(prefix = "tx", value = "commit")` is `tx.commit`
/// in any class.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Watched {
    /// Replaces the name of the method, if not empty.
    String value() default "";

    /// Replaces the name of the class, if not empty.
    String prefix() default "";
}

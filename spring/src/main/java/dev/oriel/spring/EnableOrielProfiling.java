package dev.oriel.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/// Adds the actuator's endpoint `orielprofile`, which profiles the running application and its database: GET with
/// the parameter `seconds` (10 by default, 300 at most) answers with a report as text.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(OrielProfileEndpoint.class)
public @interface EnableOrielProfiling {}

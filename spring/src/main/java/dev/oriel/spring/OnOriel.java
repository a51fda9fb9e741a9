package dev.oriel.spring;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/// Whether the application's URL is Oriel's.
final class OnOriel implements Condition {
    OnOriel() {}

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return context.getEnvironment()
                .getProperty(OrielProperties.URL, "")
                .startsWith(OrielProperties.PREFIX);
    }
}

package dev.oriel.spring;

import java.lang.annotation.Annotation;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;

/// Gives tests with `@DataJpaTest`, `@JdbcTest` and other uses of `@AutoConfigureTestDatabase` a database in memory
/// of their own. It replaces the configured one, as Spring Boot does with H2 ([OrielTestReplacement]). It acts if no
/// other embedded database is on the class path and `replace` is not NONE.
public final class OrielTestDatabase implements ContextCustomizerFactory {
    /// Names of the annotation in Spring Boot 4 and 3, which need not be on the class path of other tests.
    private static final List<String> ANNOTATIONS =
            List.of(
                    "org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase",
                    "org.springframework.boot.test.autoconfigure.jdbc.AutoConfigureTestDatabase");

    /// For Spring's factories.
    public OrielTestDatabase() {}

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> test, List<ContextConfigurationAttributes> attributes) {
        MergedAnnotations all = MergedAnnotations.from(test, SearchStrategy.TYPE_HIERARCHY);
        for (String name : ANNOTATIONS) {
            MergedAnnotation<Annotation> annotation = all.get(name);
            if (annotation.isPresent()) {
                String replaced = annotation.getValue("replace").map(Object::toString).orElse("");
                return replaced.equals("NONE") || !OrielProperties.isAloneOnClassPath()
                        ? null
                        : new OrielTestReplacement(replaced);
            }
        }
        return null;
    }
}

package dev.oriel.spring;

import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;

/// Gives tests with `@DataJpaTest`, `@JdbcTest` and other uses of `@AutoConfigureTestDatabase` a database in memory
/// of their own. It replaces the configured one, as Spring Boot does with H2. It acts if no other embedded
/// database is on the class path and `replace` is not NONE.
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
        boolean replaces = ANNOTATIONS.stream().anyMatch(name -> replaces(all.get(name)));
        return replaces && OrielProperties.isAloneOnClassPath() ? new InMemory() : null;
    }

    private static boolean replaces(MergedAnnotation<Annotation> annotation) {
        return annotation.isPresent()
                && annotation.getValue("replace").stream()
                        .noneMatch(value -> value.toString().equals("NONE"));
    }

    /// The properties of a database in memory. All are equal, so that tests share a context.
    private record InMemory() implements ContextCustomizer {
        private static final String REPLACE = "spring.test.database.replace";

        @Override
        public void customizeContext(
                ConfigurableApplicationContext context, MergedContextConfiguration merged) {
            var environment = context.getEnvironment();
            if ("none".equalsIgnoreCase(environment.getProperty(REPLACE))) {
                return;
            }
            environment
                    .getPropertySources()
                    .addFirst(
                            new MapPropertySource(
                                    "oriel test database",
                                    Map.of(
                                            REPLACE,
                                            "none",
                                            OrielProperties.URL,
                                            "jdbc:oriel:mem:" + UUID.randomUUID(),
                                            OrielProperties.DRIVER,
                                            "dev.oriel.OrielDriver",
                                            "spring.datasource.username",
                                            "",
                                            "spring.datasource.password",
                                            "")));
            environment
                    .getPropertySources()
                    .addLast(
                            new MapPropertySource(
                                    "oriel test defaults", OrielProperties.inMemory()));
        }
    }
}

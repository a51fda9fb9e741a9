package dev.oriel.spring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.ClassUtils;

/// Defaults of properties for a data source whose URL begins with `jdbc:oriel:`, as Spring Boot derives them for
/// the databases that it knows. Every property that the application sets wins.
///
/// | property | default |
/// |---|---|
/// | `spring.datasource.url` | a database in memory of its own, if there is no other embedded database on the class path |
/// | `spring.datasource.driver-class-name` | the driver |
/// | `spring.sql.init.mode` | `always` in memory |
/// | `spring.jpa.hibernate.ddl-auto` | `create-drop` in memory, if neither Flyway nor Liquibase is on the class path |
/// | `spring.batch.jdbc.platform` and the like | `h2`, whose scripts Oriel runs as they are |
public final class OrielDefaults implements EnvironmentPostProcessor, Ordered {
    static final String SOURCE = "oriel";
    static final String URL = "spring.datasource.url";
    static final String DRIVER = "spring.datasource.driver-class-name";
    static final String PREFIX = "jdbc:oriel:";
    private static final String MEMORY = PREFIX + "mem:";
    private static final List<String> OTHERS =
            List.of(
                    "org.h2.Driver",
                    "org.apache.derby.jdbc.EmbeddedDriver",
                    "org.hsqldb.jdbcDriver");
    private static final List<String> MIGRATIONS =
            List.of("org.flywaydb.core.Flyway", "liquibase.integration.spring.SpringLiquibase");
    private static final List<String> SCRIPTS =
            List.of("batch", "integration", "quartz", "session");

    /// For Spring's factories.
    public OrielDefaults() {}

    /// After the files of properties have been read.
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void postProcessEnvironment(
            ConfigurableEnvironment environment, SpringApplication application) {
        Map<String, Object> defaults = new LinkedHashMap<>();
        String url = environment.getProperty(URL);
        if (url == null && isAlone(environment)) {
            url = MEMORY + UUID.randomUUID();
            defaults.put(URL, url);
        }
        if (url == null || !url.startsWith(PREFIX)) {
            return;
        }
        defaults.put(DRIVER, "dev.oriel.OrielDriver");
        for (String script : SCRIPTS) {
            defaults.put("spring." + script + ".jdbc.platform", "h2");
        }
        if (url.startsWith(MEMORY)) {
            defaults.putAll(inMemory());
        }
        environment.getPropertySources().addLast(new MapPropertySource(SOURCE, defaults));
    }

    /// Spring Boot's defaults for an embedded database.
    static Map<String, Object> inMemory() {
        Map<String, Object> defaults = new LinkedHashMap<>();
        defaults.put("spring.sql.init.mode", "always");
        if (MIGRATIONS.stream().noneMatch(OrielDefaults::isPresent)) {
            defaults.put("spring.jpa.hibernate.ddl-auto", "create-drop");
        }
        for (String script : SCRIPTS) {
            defaults.put("spring." + script + ".jdbc.initialize-schema", "always");
        }
        return defaults;
    }

    /// Whether the application names no data source, and Oriel is its only possible embedded database.
    private static boolean isAlone(ConfigurableEnvironment environment) {
        return !environment.containsProperty("spring.datasource.jndi-name")
                && !environment.containsProperty(DRIVER)
                && isAloneOnClassPath();
    }

    static boolean isAloneOnClassPath() {
        return OTHERS.stream().noneMatch(OrielDefaults::isPresent);
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, OrielDefaults.class.getClassLoader());
    }
}

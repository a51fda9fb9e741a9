package dev.oriel.spring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.ClassUtils;

/// The properties of a data source whose URL begins with `jdbc:oriel:`, and their defaults ([OrielDefaults]).
final class OrielProperties {
    static final String SOURCE = "oriel";
    static final String URL = "spring.datasource.url";
    static final String DRIVER = "spring.datasource.driver-class-name";
    static final String PREFIX = "jdbc:oriel:";
    static final String MEMORY = PREFIX + "mem:";
    private static final List<String> OTHERS =
            List.of(
                    "org.h2.Driver",
                    "org.apache.derby.jdbc.EmbeddedDriver",
                    "org.hsqldb.jdbcDriver");
    private static final List<String> MIGRATIONS =
            List.of("org.flywaydb.core.Flyway", "liquibase.integration.spring.SpringLiquibase");
    private static final List<String> SCRIPTS =
            List.of("batch", "integration", "quartz", "session");

    private OrielProperties() {}

    /// Adds the defaults behind all properties of `environment`, if its data source is Oriel's.
    static void addDefaults(ConfigurableEnvironment environment) {
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
        if (MIGRATIONS.stream().noneMatch(OrielProperties::isPresent)) {
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
        return OTHERS.stream().noneMatch(OrielProperties::isPresent);
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, OrielProperties.class.getClassLoader());
    }
}

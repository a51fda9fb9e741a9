package dev.oriel.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.env.EnvironmentPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

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
        OrielProperties.addDefaults(environment);
    }
}

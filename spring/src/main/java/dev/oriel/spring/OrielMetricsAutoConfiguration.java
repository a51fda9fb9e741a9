package dev.oriel.spring;

import io.micrometer.core.instrument.MeterRegistry;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/// Adds the meters of the database to the application's registry.
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            // of Spring Boot 3
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnSingleCandidate(DataSource.class)
public class OrielMetricsAutoConfiguration {
    /// For Spring.
    public OrielMetricsAutoConfiguration() {}

    @Bean
    OrielMetrics orielMetrics(DataSource source) {
        return new OrielMetrics(source);
    }
}

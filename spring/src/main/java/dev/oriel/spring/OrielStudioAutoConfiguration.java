package dev.oriel.spring;

import dev.oriel.studio.Studio;
import javax.sql.DataSource;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/// Adds the endpoint of the studio if `oriel-studio` is on the class path and the endpoint is allowed.
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration"
        })
@ConditionalOnClass({Studio.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnSingleCandidate(DataSource.class)
public class OrielStudioAutoConfiguration {
    /// For Spring.
    public OrielStudioAutoConfiguration() {}

    @Bean
    @ConditionalOnAvailableEndpoint
    OrielStudioEndpoint orielStudioEndpoint(DataSource source) {
        return new OrielStudioEndpoint(source);
    }
}

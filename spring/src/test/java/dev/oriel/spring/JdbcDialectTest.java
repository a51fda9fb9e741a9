package dev.oriel.spring;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import org.junit.jupiter.api.Test;
import org.springframework.data.jdbc.core.dialect.DialectResolver;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/// Spring Data JDBC finds the dialect by the connection.
class JdbcDialectTest {
    @Test
    void dialectIsFoundByItself() {
        JdbcTemplate template = new JdbcTemplate(new DriverManagerDataSource("jdbc:oriel:mem:"));
        assertInstanceOf(OrielJdbcDialect.class, DialectResolver.getDialect(template));
    }
}

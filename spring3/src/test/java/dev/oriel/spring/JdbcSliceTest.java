package dev.oriel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.autoconfigure.jdbc.JdbcTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/// A `@JdbcTest` that names no database, with a script of its own.
@JdbcTest(properties = "spring.sql.init.schema-locations=classpath:clinic/schema-h2.sql")
class JdbcSliceTest {
    @Autowired private JdbcClient client;
    @Autowired private DataSource source;

    JdbcSliceTest() {}

    @Configuration
    @EnableAutoConfiguration
    static class Application {
        Application() {}
    }

    @Test
    void scriptsRunInADatabaseInMemory() throws Exception {
        assertEquals(3, client.sql("SELECT COUNT(*) FROM owners").query(Integer.class).single());
        try (Connection connection = source.getConnection()) {
            assertTrue(connection.getMetaData().getURL().startsWith("jdbc:oriel:mem:"));
        }
    }
}

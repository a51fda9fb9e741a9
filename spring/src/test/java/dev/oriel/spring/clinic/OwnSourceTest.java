package dev.oriel.spring.clinic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.OrielDataSource;
import java.sql.Connection;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/// A test of an application that defines its data source itself: it does not reach the application's database.
@DataJpaTest(
        properties = {"spring.jpa.hibernate.ddl-auto=create-drop", "spring.sql.init.mode=never"})
class OwnSourceTest {
    @Autowired private DataSource source;
    @Autowired private Owners owners;

    OwnSourceTest() {}

    @TestConfiguration
    static class Own {
        Own() {}

        @Bean
        DataSource shop() {
            return new OrielDataSource("jdbc:oriel:never-opened");
        }
    }

    @Test
    void databaseOfTheApplicationIsReplaced() throws Exception {
        try (Connection connection = source.getConnection()) {
            assertTrue(connection.getMetaData().getURL().startsWith("jdbc:oriel:mem:"));
        }
        assertEquals(0, owners.count());
    }
}

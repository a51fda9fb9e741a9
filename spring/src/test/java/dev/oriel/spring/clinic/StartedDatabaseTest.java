package dev.oriel.spring.clinic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.Connection;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// A test that has a database of its own, as one in a container would be: it is not replaced.
@DataJpaTest(
        properties = {"spring.jpa.hibernate.ddl-auto=create-drop", "spring.sql.init.mode=never"})
class StartedDatabaseTest {
    private static final String OWN = "jdbc:oriel:mem:started-by-a-test";

    @Autowired private DataSource source;

    StartedDatabaseTest() {}

    @DynamicPropertySource
    static void start(DynamicPropertyRegistry properties) {
        properties.add("spring.datasource.url", () -> OWN);
    }

    @Test
    void databaseOfTheTestStays() throws Exception {
        try (Connection connection = source.getConnection()) {
            assertEquals(OWN, connection.getMetaData().getURL());
        }
    }
}

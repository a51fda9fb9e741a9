package dev.oriel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.jdbc.DataSourceBuilder;

class OrielTestDataSourceTest {
    private final String url = "jdbc:oriel:mem:" + UUID.randomUUID();

    OrielTestDataSourceTest() {}

    private OrielTestDataSource source() {
        return DataSourceBuilder.create()
                .type(OrielTestDataSource.class)
                .driverClassName("dev.oriel.OrielDriver")
                .url(url)
                .username("")
                .password("")
                .build();
    }

    private static int tables(OrielTestDataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT COUNT(*) FROM information_schema.tables WHERE table_name ="
                                        + " 'pet'")) {
            assertTrue(rows.next());
            return rows.getInt(1);
        }
    }

    @Test
    void databaseLivesBetweenConnectionsUntilItIsClosed() throws Exception {
        OrielTestDataSource source = source();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE pet (id INT PRIMARY KEY)");
        }
        assertEquals(1, tables(source));
        source.close();
        source.close();
        assertEquals(0, tables(source));
        assertEquals(0, tables(source()));
    }

    @Test
    void anotherUrlIsLeftToItsDriver() throws Exception {
        try (OrielTestDataSource source = source()) {
            source.setUrl("jdbc:other:mem:");
            SQLException refused = assertThrows(SQLException.class, source::getConnection);
            assertEquals("08001", refused.getSQLState()); // of DriverManager, without a driver
        }
    }
}

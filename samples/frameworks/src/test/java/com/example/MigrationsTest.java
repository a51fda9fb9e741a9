package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import liquibase.Liquibase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

class MigrationsTest {
    @Test
    void flywayMigratesOnceAndCleans() throws Exception {
        try (Connection kept = DriverManager.getConnection("jdbc:oriel:mem:flyway")) {
            Flyway flyway = Flyway.configure().dataSource("jdbc:oriel:mem:flyway", "", "").cleanDisabled(false).load();
            assertEquals(1, flyway.migrate().migrationsExecuted);
            assertEquals(0, flyway.migrate().migrationsExecuted);
            assertEquals("3", one(kept, "SELECT COUNT(*) FROM sale"));
            flyway.clean();
            assertEquals(1, flyway.migrate().migrationsExecuted);
        }
    }

    @Test
    void liquibaseUpdatesAndRollsBack() throws Exception {
        try (Connection kept = DriverManager.getConnection("jdbc:oriel:mem:liquibase")) {
            Connection own = DriverManager.getConnection("jdbc:oriel:mem:liquibase");
            try (Liquibase liquibase =
                    new Liquibase("changelog.yaml", new ClassLoaderResourceAccessor(), new JdbcConnection(own))) {
                liquibase.update("");
                assertEquals("Ann", one(kept, "SELECT name FROM person"));
                assertEquals("1", one(kept, "SELECT COUNT(*) FROM databasechangelog"));
                liquibase.rollback(1, "");
                assertEquals("0", one(kept, "SELECT COUNT(*) FROM databasechangelog"));
                assertEquals(
                        "0",
                        one(kept, "SELECT COUNT(*) FROM information_schema.tables WHERE LOWER(table_name) = 'person'"));
                liquibase.update("");
                assertEquals("Ann", one(kept, "SELECT name FROM person"));
            }
        }
    }

    private static String one(Connection connection, String query) throws Exception {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }
}

package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import liquibase.Liquibase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.keycloak.connections.jpa.updater.liquibase.ThreadLocalSessionContext;
import org.keycloak.models.KeycloakSession;

/** Keycloak's changelog, as published: all of its releases from the first on, and again over what they have made. */
class KeycloakTest {
    private static final String URL = "jdbc:oriel:mem:keycloak";

    /** Keycloak's own kinds of changes look for a session, which they need for rows that an empty database lacks. */
    @BeforeEach
    void giveASession() {
        ThreadLocalSessionContext.setCurrentSession(
                (KeycloakSession)
                        Proxy.newProxyInstance(
                                KeycloakSession.class.getClassLoader(),
                                new Class<?>[] {KeycloakSession.class},
                                (proxy, method, arguments) -> {
                                    throw new UnsupportedOperationException(method.getName());
                                }));
    }

    @AfterEach
    void takeTheSession() {
        ThreadLocalSessionContext.removeCurrentSession();
    }

    @Test
    void theChangelogOfAllReleasesRuns() throws Exception {
        try (Connection kept = DriverManager.getConnection(URL)) {
            update();
            int changes = count(kept, "databasechangelog");
            assertTrue(changes > 150, "changes: " + changes);
            assertEquals(
                    0,
                    count(kept, "databasechangelog WHERE exectype NOT IN ('EXECUTED', 'MARK_RAN')"));
            int tables = count(kept, "information_schema.tables WHERE table_schema = 'public'");
            assertTrue(tables > 85, "tables: " + tables);
            int keys = count(kept, "information_schema.referential_constraints");
            assertTrue(keys > 60, "foreign keys: " + keys);
            update();
            assertEquals(changes, count(kept, "databasechangelog"));
            System.out.println(
                    "Keycloak's changelog: " + changes + " changes, " + tables + " tables, " + keys + " foreign keys");
        }
    }

    private static void update() throws Exception {
        try (Liquibase liquibase =
                new Liquibase(
                        "META-INF/jpa-changelog-master.xml",
                        new ClassLoaderResourceAccessor(),
                        new JdbcConnection(DriverManager.getConnection(URL)))) {
            liquibase.update("");
        }
    }

    private static int count(Connection connection, String of) throws Exception {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + of)) {
            rows.next();
            return rows.getInt(1);
        }
    }
}

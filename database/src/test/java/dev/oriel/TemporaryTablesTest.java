package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import dev.oriel.table.engine.Tables;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.SimDirectory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Temporary tables belong to their session, and nothing of them is left behind: not by a session that ends while
/// others write, and not by a process that is killed.
final class TemporaryTablesTest {
    private static final String LISTED =
            "SELECT table_name FROM information_schema.tables"
                    + " WHERE table_schema = 'public' OR table_schema LIKE 'pg_temp%' ORDER BY table_name";

    private static Database open(SimDirectory directory) {
        Store store = Store.open(directory, StoreOptions.defaults());
        return Database.over(store, Tables.open(store), DatabaseOptions.defaults());
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> texts(Connection connection, String query) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                texts.add(String.valueOf(rows.getString(1)));
            }
        }
        return texts;
    }

    @Test
    void eachSessionSeesItsOwnAndNothingIsLeft() throws SQLException {
        SimDirectory directory = new SimDirectory();
        SimDirectory killed;
        try (Database db = open(directory);
                Connection other = db.connect()) {
            execute(other, "CREATE TABLE item (a INTEGER)");
            execute(other, "INSERT INTO item VALUES (7)");
            execute(other, "CREATE TEMPORARY TABLE scrap (x VARCHAR)");
            execute(other, "INSERT INTO scrap VALUES ('other')");
            try (Connection one = db.connect()) {
                execute(one, "CREATE TEMPORARY TABLE scrap (a INTEGER PRIMARY KEY)");
                execute(one, "CREATE INDEX scrap_a ON scrap (a)");
                execute(one, "CREATE TEMPORARY TABLE item (b INTEGER)");
                execute(one, "INSERT INTO scrap VALUES (1)");
                execute(one, "INSERT INTO item VALUES (8)");
                assertEquals(List.of("1"), texts(one, "SELECT * FROM scrap"));
                assertEquals(List.of("8"), texts(one, "SELECT * FROM item"));
                assertEquals(List.of("other"), texts(other, "SELECT * FROM scrap"));
                assertEquals(List.of("7"), texts(other, "SELECT * FROM item"));
                other.setAutoCommit(false);
                execute(
                        other,
                        "INSERT INTO item VALUES (9)"); // so that it cannot drop them at once
            }
            other.commit();
            other.setAutoCommit(true);
            assertEquals(List.of("7", "9"), texts(other, "SELECT a FROM item ORDER BY a"));
            try (Connection next = db.connect()) {
                execute(next, "CREATE TEMPORARY TABLE mine (a INTEGER)");
                assertEquals(List.of("item", "mine"), texts(next, LISTED));
            }
            assertEquals(List.of("item", "scrap"), texts(other, LISTED));
            assertEquals(List.of(), db.check());
            killed = directory.crash(new SplittableRandom(1), CrashProfile.PROCESS_KILL);
        }
        for (SimDirectory left : List.of(directory, killed)) {
            try (Database db = open(left);
                    Connection connection = db.connect()) {
                assertEquals(List.of("item"), texts(connection, LISTED));
                assertEquals(List.of("7", "9"), texts(connection, "SELECT a FROM item ORDER BY a"));
                assertEquals(List.of(), db.check());
                execute(connection, "CREATE TABLE scrap (a INTEGER)");
            }
        }
    }
}

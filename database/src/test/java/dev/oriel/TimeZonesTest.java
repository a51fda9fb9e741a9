package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Struct;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Calendar;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The time zone of a session decides on texts; the classes of Java are moments in any case.
final class TimeZonesTest {
    private static final OffsetDateTime MOMENT = OffsetDateTime.parse("2024-07-01T12:00Z");

    private Connection connection;
    private Statement statement;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection("jdbc:oriel:mem:");
        statement = connection.createStatement();
        statement.execute("CREATE TABLE event (id INT PRIMARY KEY, at TIMESTAMPTZ)");
        statement.execute("SET TIME ZONE 'Europe/Berlin'");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private String shown(String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Test
    void objectsOfJavaAreTheSameMomentsInEveryZone() throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO event VALUES (?, ?)")) {
            insert.setInt(1, 1);
            insert.setObject(2, MOMENT);
            insert.executeUpdate();
            insert.setInt(1, 2);
            insert.setTimestamp(2, Timestamp.from(MOMENT.toInstant()));
            insert.executeUpdate();
            insert.setInt(1, 3);
            insert.setTimestamp(
                    2,
                    Timestamp.from(MOMENT.toInstant()),
                    Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo")));
            insert.executeUpdate();
        }
        try (ResultSet rows = statement.executeQuery("SELECT at FROM event ORDER BY id")) {
            for (int i = 0; i < 3; i++) {
                rows.next();
                assertEquals(MOMENT, rows.getObject(1, OffsetDateTime.class));
                assertEquals(MOMENT, rows.getObject(1));
                assertEquals(MOMENT.toInstant(), rows.getObject(1, Instant.class));
                assertEquals(MOMENT.toInstant(), rows.getTimestamp(1).toInstant());
                assertEquals("2024-07-01 14:00:00+02", rows.getString(1));
                assertEquals("2024-07-01 14:00:00+02", rows.getObject(1, String.class));
            }
        }
    }

    @Test
    void textsOfParametersAreInTheZoneOfTheSession() throws SQLException {
        try (PreparedStatement query =
                        connection.prepareStatement("SELECT CAST(? AS TIMESTAMPTZ)");
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO event VALUES (1, ?)")) {
            insert.setString(1, "2024-07-01 14:00");
            insert.executeUpdate();
            assertEquals("2024-07-01 14:00:00+02", shown("SELECT at FROM event"));
            query.setString(1, "2024-07-01 14:00");
            statement.execute("SET TIME ZONE 'Asia/Tokyo'");
            assertEquals("2024-07-01 21:00:00+09", shown("SELECT at FROM event"));
            assertEquals("{\"2024-07-01 21:00:00+09\"}", shown("SELECT ARRAY[at] FROM event"));
            query.setString(1, "2024-07-01 14:00");
            try (ResultSet rows = query.executeQuery()) {
                rows.next();
                assertEquals(
                        OffsetDateTime.parse("2024-07-01T05:00Z"),
                        rows.getObject(1, OffsetDateTime.class));
            }
        }
    }

    @Test
    void aPreparedStatementReadsTheZoneWhenItRuns() throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement(
                        "SELECT TIMESTAMPTZ '2024-07-01 14:00', NOW()::TIMESTAMP = NOW(), EXTRACT(HOUR"
                                + " FROM TIMESTAMPTZ '2024-07-01 12:00+00')")) {
            for (String zone : new String[] {"Europe/Berlin", "UTC", "Asia/Tokyo", "UTC"}) {
                statement.execute("SET TIME ZONE '" + zone + "'");
                try (ResultSet rows = query.executeQuery()) {
                    rows.next();
                    ZoneId here = ZoneId.of(zone);
                    LocalDateTime local = LocalDateTime.parse("2024-07-01T14:00");
                    assertEquals(
                            local.atZone(here).toInstant(),
                            rows.getObject(1, OffsetDateTime.class).toInstant(),
                            zone);
                    String offset = local.atZone(here).getOffset().getId().replace("Z", "+00");
                    assertEquals(
                            "2024-07-01 14:00:00" + offset.substring(0, 3),
                            rows.getString(1),
                            zone);
                    assertTrue(rows.getBoolean(2), zone);
                    assertEquals(MOMENT.atZoneSameInstant(here).getHour(), rows.getInt(3), zone);
                }
            }
        }
    }

    @Test
    void sessionsOfOtherZonesShareStatements() throws SQLException {
        String url = "jdbc:oriel:mem:zones";
        try (Connection berlin = DriverManager.getConnection(url);
                Connection tokyo = DriverManager.getConnection(url);
                Statement first = berlin.createStatement();
                Statement second = tokyo.createStatement()) {
            first.execute("CREATE TABLE event (id INT PRIMARY KEY, at TIMESTAMPTZ)");
            first.execute("SET TIME ZONE 'Europe/Berlin'");
            second.execute("SET TIME ZONE 'Asia/Tokyo'");
            for (int i = 0; i < 40; i += 2) {
                // Literals of both zones, in plans that statements of one shape share.
                first.execute(
                        "INSERT INTO event VALUES (" + i + ", '2024-07-01 00:" + at(i) + "')");
                second.execute(
                        "INSERT INTO event VALUES ("
                                + (i + 1)
                                + ", '2024-07-01 00:"
                                + at(i)
                                + "')");
            }
            for (int i = 0; i < 40; i += 2) {
                String where = " FROM event WHERE at = '2024-07-01 00:" + at(i) + "'";
                assertEquals(i, id(first, "SELECT id" + where));
                assertEquals(i + 1, id(second, "SELECT id" + where));
                String other = " FROM event WHERE at = '2024-07-01 00:" + at(i) + "+02'";
                assertEquals(i, id(second, "SELECT id" + other));
            }
        }
    }

    @Test
    void textsWithinArraysAndStructsAreInTheZoneOfTheSession() throws SQLException {
        statement.execute("CREATE TYPE seen AS (who TEXT, at TIMESTAMPTZ, list TIMESTAMPTZ[])");
        statement.execute("CREATE TABLE t (list TIMESTAMPTZ[], one seen, at TIMESTAMPTZ)");
        String text = "2024-07-01 14:00";
        Array array = connection.createArrayOf("timestamptz", new Object[] {text});
        assertEquals("{\"2024-07-01 14:00:00+02\"}", array.toString());
        Struct struct = connection.createStruct("seen", new Object[] {"a", text, List.of(text)});
        assertEquals(MOMENT, struct.getAttributes()[1]);
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)")) {
            insert.setArray(1, array);
            insert.setObject(2, struct);
            insert.setObject(3, text, Types.TIMESTAMP_WITH_TIMEZONE);
            insert.executeUpdate();
            insert.setObject(1, new String[] {text});
            insert.setObject(2, "(a,2024-07-01 14:00,{2024-07-01 14:00})");
            insert.setObject(3, text);
            insert.executeUpdate();
        }
        try (ResultSet rows =
                statement.executeQuery("SELECT list[1], (one).at, (one).list[1], at FROM t")) {
            for (int i = 0; i < 2; i++) {
                assertTrue(rows.next());
                for (int column = 1; column <= 4; column++) {
                    assertEquals(MOMENT, rows.getObject(column), "column " + column);
                }
            }
        }
    }

    private static String at(int minute) {
        return minute < 10 ? "0" + minute : String.valueOf(minute);
    }

    private static int id(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getInt(1) : -1;
        }
    }
}

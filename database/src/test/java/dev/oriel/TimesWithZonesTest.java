package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Types;
import java.time.LocalTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// TIME WITH TIME ZONE through JDBC, and over an opening.
final class TimesWithZonesTest {
    private static final OffsetTime TEN =
            OffsetTime.of(10, 0, 0, 500_000_000, ZoneOffset.ofHours(2));

    @TempDir Path folder;

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:oriel:" + folder.resolve("db"));
    }

    @Test
    void timesWithZonesSurviveAnOpening() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (k TIME(3) WITH TIME ZONE PRIMARY KEY, v TIMETZ)");
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
                insert.setObject(1, TEN);
                insert.setObject(2, LocalTime.of(8, 30));
                insert.executeUpdate();
                insert.setObject(1, "07:00-03:30", Types.TIME_WITH_TIMEZONE);
                insert.setNull(2, Types.TIME_WITH_TIMEZONE);
                insert.executeUpdate();
            }
        }
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT k, v FROM t ORDER BY k")) {
            assertTrue(rows.next());
            assertEquals(TEN, rows.getObject(1));
            assertEquals(
                    OffsetTime.of(8, 30, 0, 0, ZoneOffset.UTC),
                    rows.getObject(2, OffsetTime.class));
            assertEquals("10:00:00.5+02", rows.getString(1));
            assertEquals(TEN.toLocalTime(), rows.getObject(1, LocalTime.class));
            assertEquals(new Time(8 * 3_600_000 + 500), rows.getTime(1));
            assertTrue(rows.next());
            assertEquals("07:00:00-03:30", rows.getString(1));
            assertNull(rows.getObject(2));
            var columns = rows.getMetaData();
            assertEquals(Types.TIME_WITH_TIMEZONE, columns.getColumnType(1));
            assertEquals("TIME WITH TIME ZONE", columns.getColumnTypeName(1));
            assertEquals("java.time.OffsetTime", columns.getColumnClassName(1));
            assertEquals(3, columns.getScale(1));
            assertEquals(18, columns.getColumnDisplaySize(1));
            assertThrows(SQLException.class, () -> rows.getTimestamp(1));
        }
    }

    @Test
    void parametersAreComparedWithTheirZones() throws SQLException {
        try (Connection connection = connect();
                PreparedStatement query =
                        connection.prepareStatement(
                                "SELECT ? = TIMETZ '10:00:00.5+02', ? < TIMETZ '08:00+00', ?")) {
            query.setObject(1, TEN);
            query.setObject(2, OffsetTime.of(9, 0, 0, 0, ZoneOffset.ofHours(1)));
            query.setObject(3, TEN);
            try (ResultSet rows = query.executeQuery()) {
                assertTrue(rows.next());
                assertTrue(rows.getBoolean(1));
                assertTrue(rows.getBoolean(2));
                assertEquals(TEN, rows.getObject(3));
            }
        }
    }
}

package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.Date;
import java.sql.JDBCType;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// `setObject` with a type and a scale.
class JdbcTargetTypeTest {
    private final Database database = Database.inMemory();
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connection = database.connect();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        assertEquals(List.of(), database.check());
        database.close();
    }

    private interface Setting {
        void on(PreparedStatement statement) throws SQLException;
    }

    /// The text of a parameter of type `type`.
    private @Nullable String text(String type, Setting setting) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT CAST(CAST(? AS " + type + ") AS VARCHAR)")) {
            setting.on(query);
            try (ResultSet rows = query.executeQuery()) {
                assertTrue(rows.next());
                return rows.getString(1);
            }
        }
    }

    private @Nullable String varchar(@Nullable Object value, int type) throws SQLException {
        return text("VARCHAR", query -> query.setObject(1, value, type));
    }

    private @Nullable String decimal(Object value, int scale) throws SQLException {
        return text("DECIMAL(10, 2)", query -> query.setObject(1, value, Types.DECIMAL, scale));
    }

    @Test
    void theScaleOfANumberIsRoundedTo() throws SQLException {
        assertEquals("5.60", decimal(new BigDecimal("5.555"), 1));
        assertEquals("6.00", decimal(5.555, 0));
        assertEquals("5.60", decimal("5.555", 1));
        assertEquals(
                "5.60",
                text("DECIMAL(10, 2)", query -> query.setObject(1, 5.555, JDBCType.NUMERIC, 1)));
        // Without a scale no digit is lost.
        assertEquals("5.555", varchar(new BigDecimal("5.555"), Types.DECIMAL));
        assertEquals("7", text("INT", query -> query.setObject(1, 7, Types.INTEGER, 3)));
        Expect.error("22023", "at most 1000", () -> decimal(1, Integer.MAX_VALUE));
        Expect.error("22003", "out of range", () -> decimal(new BigDecimal("1E+2000000000"), 1));
    }

    @Test
    void valuesAreConvertedToTheType() throws SQLException {
        assertEquals("5", varchar("5", Types.INTEGER));
        assertEquals("1", varchar(true, Types.SMALLINT));
        assertEquals("true", varchar(1, Types.BOOLEAN));
        assertEquals("1.5", varchar("1.50", Types.DOUBLE));
        assertEquals("5.50", varchar("5.50", Types.NUMERIC));
        assertEquals("5.50", varchar(new BigDecimal("5.50"), Types.VARCHAR));
        assertEquals("2024-02-29", varchar(LocalDate.of(2024, 2, 29), Types.CHAR));
        assertEquals("2024-02-29", varchar(Timestamp.valueOf("2024-02-29 12:00:00"), Types.DATE));
        assertEquals("12:00:00", varchar("12:00", Types.TIME));
        assertEquals("10000000000", varchar(BigInteger.TEN.pow(10), Types.BIGINT));
        assertEquals(null, varchar(null, Types.INTEGER));
        UUID id = UUID.randomUUID();
        assertEquals(id.toString(), text("UUID", q -> q.setObject(1, id, Types.VARCHAR)));
        assertEquals(id.toString(), text("UUID", q -> q.setObject(1, id, Types.BINARY)));
        assertEquals(id.toString(), text("UUID", q -> q.setObject(1, id, Types.OTHER)));
    }

    @Test
    void instantsGoToEitherTimestamp() throws SQLException {
        Timestamp local = Timestamp.valueOf("2024-02-29 12:00:00");
        assertEquals(
                "2024-02-29 12:00:00",
                text("TIMESTAMP", q -> q.setObject(1, local, Types.TIMESTAMP)));
        OffsetDateTime moment = OffsetDateTime.parse("2024-02-29T12:00:00+02:00");
        String zoned = "2024-02-29 10:00:00+00";
        String type = "TIMESTAMP WITH TIME ZONE";
        assertEquals(zoned, text(type, q -> q.setObject(1, moment, Types.TIMESTAMP_WITH_TIMEZONE)));
        Timestamp same = Timestamp.from(moment.toInstant());
        assertEquals(zoned, text(type, q -> q.setObject(1, same, Types.TIMESTAMP)));
        Instant instant = moment.toInstant();
        assertEquals(zoned, text(type, q -> q.setObject(1, instant, Types.TIMESTAMP)));
        assertEquals(
                "2024-02-29 00:00:00",
                text(
                        "TIMESTAMP",
                        q -> q.setObject(1, Date.valueOf("2024-02-29"), Types.TIMESTAMP)));
    }

    @Test
    void whatDoesNotFitTheTypeIsRefused() {
        Expect.error("22003", "300", () -> varchar(300, Types.TINYINT));
        Expect.error("22003", "5.5", () -> varchar(5.5, Types.INTEGER));
        Expect.error("07006", "a date", () -> varchar(LocalDate.EPOCH, Types.INTEGER));
        Expect.error("07006", "a number", () -> varchar(1, Types.DATE));
        Expect.error("07006", "a number", () -> varchar(1, Types.TIMESTAMP));
        Expect.error(
                "22008", "time of day", () -> varchar(LocalDateTime.of(1, 1, 1, 1, 1), Types.DATE));
        Expect.error("22P02", "x", () -> varchar("x", Types.INTEGER));
        for (int type :
                new int[] {Types.STRUCT, Types.REF_CURSOR, Types.REF, Types.SQLXML, 987654}) {
            Expect.error("0A000", "JDBC type " + type, () -> varchar("x", type));
        }
        Expect.error(
                "0A000",
                "JDBC type 2002",
                () -> text("VARCHAR", q -> q.setObject(1, null, JDBCType.STRUCT)));
        Expect.error(
                "22023",
                "There is no parameter 2",
                () -> text("VARCHAR", q -> q.setObject(2, 1, Types.INTEGER)));
    }

    @Test
    void theScaleOfAStreamIsItsLength() throws SQLException {
        assertEquals(
                "ab",
                text(
                        "VARCHAR",
                        q -> q.setObject(1, new StringReader("abc"), Types.LONGVARCHAR, 2)));
        Expect.error(
                "22023",
                "ended after 2 of 3",
                () ->
                        text(
                                "BLOB",
                                q ->
                                        q.setObject(
                                                1,
                                                new ByteArrayInputStream(new byte[2]),
                                                Types.BLOB,
                                                3)));
    }
}

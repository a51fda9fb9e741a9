package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.FakeSession.FakePrepared;
import dev.oriel.store.ClosedException;
import dev.oriel.store.CorruptionException;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Calendar;
import java.util.List;
import java.util.TimeZone;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class JdbcResultSetTest {
    private final FakeSession session = new FakeSession();

    /// A result of one column, standing on its one row.
    private ResultSet on(Type.Name name, java.util.function.Consumer<Tuple> value)
            throws SQLException {
        FakePrepared query = session.query("q", Type.of(name));
        value.accept(query.row());
        ResultSet rs = session.connect().createStatement().executeQuery("q");
        assertTrue(rs.next());
        return rs;
    }

    private ResultSet onLong(Type.Name name, long value) throws SQLException {
        return on(name, row -> row.setLong(0, value));
    }

    private ResultSet onText(String value) throws SQLException {
        return on(Type.Name.VARCHAR, row -> row.setText(0, value));
    }

    @Test
    void integersReadAsEveryNumberThatHoldsThem() throws SQLException {
        ResultSet rs = onLong(Type.Name.INTEGER, 42);
        assertEquals(42, rs.getByte(1));
        assertEquals(42, rs.getShort(1));
        assertEquals(42, rs.getInt(1));
        assertEquals(42L, rs.getLong(1));
        assertEquals(42f, rs.getFloat(1));
        assertEquals(42d, rs.getDouble(1));
        assertEquals(new BigDecimal(42), rs.getBigDecimal(1));
        assertEquals("42", rs.getString(1));
        assertTrue(rs.getBoolean(1));
        assertEquals(42, rs.getObject(1));
        assertEquals(BigInteger.valueOf(42), rs.getObject(1, BigInteger.class));
        assertEquals(42L, onLong(Type.Name.BIGINT, 42).getObject(1));
    }

    @Test
    void numbersThatDoNotFitAreErrors() throws SQLException {
        ResultSet rs = onLong(Type.Name.BIGINT, 1L << 40);
        Expect.error("22003", "1099511627776 is out of range for int", () -> rs.getInt(1));
        Expect.error("22003", "short", () -> rs.getShort(1));
        Expect.error("22003", "byte", () -> rs.getByte(1));
        ResultSet big = on(Type.Name.DECIMAL, row -> row.setDecimal(0, new BigDecimal("1e30")));
        Expect.error("22003", "long", () -> big.getLong(1));
        ResultSet huge =
                on(Type.Name.DECIMAL, row -> row.setDecimal(0, new BigDecimal("1e999999999")));
        Expect.error("22003", "long", () -> huge.getLong(1));
        ResultSet nan = on(Type.Name.DOUBLE, row -> row.setDouble(0, Double.NaN));
        Expect.error("22003", "NaN", () -> nan.getLong(1));
        Expect.error("22003", "NaN", () -> nan.getBigDecimal(1));
        ResultSet edge = on(Type.Name.DOUBLE, row -> row.setDouble(0, 0x1p63));
        Expect.error("22003", "long", () -> edge.getLong(1));
    }

    @Test
    void decimalsAndDoublesAreCutToIntegers() throws SQLException {
        ResultSet decimal =
                on(Type.Name.DECIMAL, row -> row.setDecimal(0, new BigDecimal("-12.99")));
        assertEquals(-12, decimal.getInt(1));
        assertEquals(-12.99, decimal.getDouble(1));
        assertEquals("-12.99", decimal.getString(1));
        ResultSet most =
                on(
                        Type.Name.DECIMAL,
                        row -> row.setDecimal(0, new BigDecimal("9223372036854775807.9")));
        assertEquals(Long.MAX_VALUE, most.getLong(1));
        ResultSet real = on(Type.Name.REAL, row -> row.setDouble(0, 0.1f));
        assertEquals("0.1", real.getString(1));
        assertEquals(new BigDecimal("0.1"), real.getBigDecimal(1));
        assertEquals(0.1f, real.getObject(1));
    }

    @Test
    void numbersThatAreNotZeroAreTrue() throws SQLException {
        for (String number : List.of("0.5", "-0.001", "1e-30", "1e30", "7")) {
            BigDecimal value = new BigDecimal(number);
            assertTrue(on(Type.Name.DECIMAL, row -> row.setDecimal(0, value)).getBoolean(1));
            double rounded = value.doubleValue();
            assertTrue(on(Type.Name.DOUBLE, row -> row.setDouble(0, rounded)).getBoolean(1));
        }
        BigDecimal zero = new BigDecimal("0.00");
        assertFalse(on(Type.Name.DECIMAL, row -> row.setDecimal(0, zero)).getBoolean(1));
        assertFalse(on(Type.Name.DOUBLE, row -> row.setDouble(0, -0.0)).getBoolean(1));
        assertFalse(onLong(Type.Name.BIGINT, 0).getBoolean(1));
        assertTrue(onLong(Type.Name.BIGINT, -1).getBoolean(1));
    }

    @Test
    void doublesPrintAsPostgresDoes() throws SQLException {
        assertEquals("1", doubleText(1));
        assertEquals("-0", doubleText(-0.0));
        assertEquals("0", doubleText(0));
        assertEquals("0.1", doubleText(0.1));
        assertEquals("0.0001", doubleText(0.0001));
        assertEquals("1e-05", doubleText(0.00001));
        assertEquals("1.5e-07", doubleText(1.5e-7));
        assertEquals("100000000000000", doubleText(1e14));
        assertEquals("1e+15", doubleText(1e15));
        assertEquals("1.7976931348623157e+308", doubleText(Double.MAX_VALUE));
        assertEquals("NaN", doubleText(Double.NaN));
        assertEquals("-Infinity", doubleText(Double.NEGATIVE_INFINITY));
    }

    private String doubleText(double value) throws SQLException {
        return on(Type.Name.DOUBLE, row -> row.setDouble(0, value)).getString(1);
    }

    @Test
    void textsReadAsWhatTheySay() throws SQLException {
        assertEquals(12, onText(" 12 ").getInt(1));
        assertEquals(12, onText("12.7").getLong(1));
        assertEquals(1.5, onText("1.5").getDouble(1));
        assertTrue(onText("Yes").getBoolean(1));
        assertFalse(onText("f").getBoolean(1));
        assertEquals(LocalDate.of(2024, 2, 29), onText("2024-02-29").getObject(1, LocalDate.class));
        assertEquals(
                LocalDateTime.of(2024, 2, 29, 1, 2, 3),
                onText("2024-02-29T01:02:03").getObject(1, LocalDateTime.class));
        assertEquals(
                OffsetDateTime.of(2024, 1, 5, 9, 5, 0, 0, ZoneOffset.ofHours(2)),
                onText("2024-1-5 9:05+02").getObject(1, OffsetDateTime.class));
        assertEquals(LocalTime.of(9, 5), onText("9:05").getObject(1, LocalTime.class));
        UUID uuid = new UUID(1, 2);
        assertEquals(uuid, onText(uuid.toString()).getObject(1, UUID.class));
        assertArrayEquals("é".getBytes(StandardCharsets.UTF_8), onText("é").getBytes(1));
        Expect.error("22P02", "'x' is not a number", () -> onText("x").getInt(1));
        Expect.error("22P02", "'x' is not a boolean", () -> onText("x").getBoolean(1));
        Expect.error("22P02", "'x' is not a UUID", () -> onText("x").getObject(1, UUID.class));
        Expect.error("22008", "'2024-02-30'", () -> onText("2024-02-30").getDate(1));
        Expect.error("22008", "'25:00' is not a TIME", () -> onText("25:00").getTime(1));
    }

    @Test
    void datesAndTimesPrintAsPostgresDoes() throws SQLException {
        long day = LocalDate.of(2024, 1, 31).toEpochDay();
        long micros = day * DateTimes.MICROS_PER_DAY + 45_296_789_000L;
        assertEquals("2024-01-31", onLong(Type.Name.DATE, day).getString(1));
        assertEquals("12:34:56.789", onLong(Type.Name.TIME, 45_296_789_000L).getString(1));
        assertEquals("00:00:00.000001", onLong(Type.Name.TIME, 1).getString(1));
        assertEquals("2024-01-31 12:34:56.789", onLong(Type.Name.TIMESTAMP, micros).getString(1));
        assertEquals(
                "2024-01-31 12:34:56.789+00", onLong(Type.Name.TIMESTAMP_TZ, micros).getString(1));
        assertEquals("1969-12-31 23:59:59", onLong(Type.Name.TIMESTAMP, -1_000_000).getString(1));
        assertEquals("true", onLong(Type.Name.BOOLEAN, 1).getString(1));
    }

    @Test
    void datesAndTimesReadAsJavaTimeAndAsJavaSql() throws SQLException {
        LocalDateTime moment = LocalDateTime.of(2024, 6, 30, 23, 59, 58, 123_456_000);
        long micros = DateTimes.micros(moment);
        ResultSet rs = onLong(Type.Name.TIMESTAMP, micros);
        assertEquals(moment, rs.getObject(1, LocalDateTime.class));
        assertEquals(moment.toLocalDate(), rs.getObject(1, LocalDate.class));
        assertEquals(moment.toLocalTime(), rs.getObject(1, LocalTime.class));
        assertEquals(Timestamp.valueOf(moment), rs.getTimestamp(1));
        assertEquals(Timestamp.valueOf(moment), rs.getObject(1));
        assertEquals(Date.valueOf(moment.toLocalDate()), rs.getDate(1));
        Calendar tokyo = Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"));
        assertEquals(
                moment.toInstant(ZoneOffset.ofHours(9)), rs.getTimestamp(1, tokyo).toInstant());
        Expect.error(
                "07006",
                "TIMESTAMP cannot be read as a timestamp with zone",
                () -> rs.getObject(1, Instant.class));

        ResultSet zoned = onLong(Type.Name.TIMESTAMP_TZ, micros);
        OffsetDateTime utc = moment.atOffset(ZoneOffset.UTC);
        assertEquals(utc, zoned.getObject(1));
        assertEquals(utc, zoned.getObject(1, OffsetDateTime.class));
        assertEquals(utc.toInstant(), zoned.getObject(1, Instant.class));
        assertEquals(utc.toInstant(), zoned.getTimestamp(1).toInstant());
        Expect.error("07006", "without zone", () -> zoned.getObject(1, LocalDateTime.class));

        ResultSet date = onLong(Type.Name.DATE, moment.toLocalDate().toEpochDay());
        assertEquals(Date.valueOf("2024-06-30"), date.getObject(1));
        assertEquals(moment.toLocalDate().atStartOfDay(), date.getTimestamp(1).toLocalDateTime());
        Expect.error("07006", "DATE cannot be read as a number", () -> date.getInt(1));
        Expect.error("07006", "DATE cannot be read as bytes", () -> date.getBytes(1));
    }

    @Test
    void datesBeforeTheGregorianCalendarSurviveTheOldClasses() throws SQLException {
        LocalDate old = LocalDate.of(1066, 10, 14);
        assertEquals(old, onLong(Type.Name.DATE, old.toEpochDay()).getDate(1).toLocalDate());
    }

    @Test
    void uuidsAndBytes() throws SQLException {
        UUID uuid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
        ResultSet rs = on(Type.Name.UUID, row -> row.setBytes(0, Values.bytes(uuid)));
        assertEquals(uuid, rs.getObject(1));
        assertEquals(uuid.toString(), rs.getString(1));
        assertEquals(16, rs.getBytes(1).length);
        ResultSet bytes = on(Type.Name.VARBINARY, row -> row.setBytes(0, new byte[] {0, -1}));
        assertEquals("\\x00ff", bytes.getString(1));
        assertArrayEquals(new byte[] {0, -1}, (byte[]) bytes.getObject(1));
        Expect.error("07006", "2 bytes", () -> bytes.getObject(1, UUID.class));
    }

    /// Columns are fetched as they are asked for, so that reading one may fail as going on may.
    @Test
    void whatCannotBeReadIsAnSqlException() throws SQLException {
        FakePrepared query =
                session.query(
                        "q",
                        Type.of(Type.Name.BIGINT),
                        Type.of(Type.Name.VARCHAR),
                        Type.array(Type.of(Type.Name.BIGINT)));
        query.row();
        ResultSet rs = session.connect().createStatement().executeQuery("q");
        assertTrue(rs.next());
        query.unreadable = new CorruptionException("The page is damaged", "page=7");
        List<Executable> getters =
                List.of(
                        () -> rs.getString(1),
                        () -> rs.getString(2),
                        () -> rs.getLong(1),
                        () -> rs.getInt(1),
                        () -> rs.getShort(1),
                        () -> rs.getByte(1),
                        () -> rs.getBoolean(1),
                        () -> rs.getDouble(1),
                        () -> rs.getFloat(1),
                        () -> rs.getBigDecimal(1),
                        () -> rs.getBytes(2),
                        () -> rs.getObject(1),
                        () -> rs.getObject(3),
                        () -> rs.getArray(3),
                        () -> rs.getObject(1, Long.class),
                        () -> rs.getObject(3, Object.class),
                        () -> rs.getDate(1),
                        () -> rs.getTime(1),
                        () -> rs.getTimestamp(1),
                        () -> rs.getBinaryStream(2),
                        () -> rs.getCharacterStream(2),
                        () -> rs.getBlob(2),
                        () -> rs.getClob(2));
        for (Executable getter : getters) {
            Expect.error("XX001", "page=7", getter);
        }
        query.unreadable = new ClosedException("The transaction has ended", "");
        Expect.error("24000", "The transaction of the ResultSet has ended", () -> rs.getLong(1));
        query.unreadable = null;
        query.rows.getFirst().setLong(0, 5);
        assertEquals(5, rs.getLong(1));
    }

    @Test
    void nullsAreNullOrZeroAndRemembered() throws SQLException {
        ResultSet rs = on(Type.Name.INTEGER, row -> row.setNull(0));
        assertFalse(rs.wasNull());
        assertEquals(0, rs.getInt(1));
        assertTrue(rs.wasNull());
        assertNull(rs.getString(1));
        assertNull(rs.getObject(1));
        assertNull(rs.getObject(1, UUID.class));
        assertNull(rs.getBigDecimal(1));
        assertNull(rs.getTimestamp(1));
        assertFalse(rs.getBoolean(1));
        assertTrue(rs.wasNull());
        ResultSet text = onText("x");
        assertEquals("x", text.getString(1));
        assertFalse(text.wasNull());
    }

    @Test
    void labelsAreFoundInAnyCase() throws SQLException {
        ResultSet rs = onLong(Type.Name.INTEGER, 7);
        assertEquals(7, rs.getInt("A"));
        assertEquals(1, rs.findColumn("a"));
        assertEquals("7", rs.getString("a"));
        Expect.error("42703", "no column 'b'; its columns are a", () -> rs.getInt("b"));
        Expect.error("22023", "no column 2: the result has 1 to 1", () -> rs.getInt(2));
        Expect.error("22023", "no column 0", () -> rs.getString(0));
    }

    @Test
    void positionIsCheckedAndTold() throws SQLException {
        FakePrepared query = session.query("q", Type.of(Type.Name.INTEGER));
        query.row().setLong(0, 1);
        query.row().setLong(0, 2);
        ResultSet rs = session.connect().createStatement().executeQuery("q");
        assertTrue(rs.isBeforeFirst());
        Expect.error("24000", "call next()", () -> rs.getInt(1));
        assertTrue(rs.next());
        assertTrue(rs.isFirst());
        assertEquals(1, rs.getRow());
        assertTrue(rs.next());
        assertEquals(2, rs.getInt(1));
        assertFalse(rs.next());
        assertFalse(rs.next());
        assertTrue(rs.isAfterLast());
        assertEquals(1, query.ran.stream().filter("closed"::equals).count(), "freed at its end");
        Expect.error("24000", "after its last row", () -> rs.getInt(1));
        rs.close();
        rs.close();
        assertTrue(rs.isClosed());
        Expect.error("24000", "closed", () -> rs.getInt(1));
        Expect.error("24000", "closed", rs::next);
        Expect.error("24000", "closed", () -> rs.findColumn("a"));
    }

    /// `if (!rs.isBeforeFirst())` is how some ask whether there are rows.
    @Test
    void resultWithoutRowsHasNoPlaceBeforeThem() throws SQLException {
        FakePrepared query = session.query("q", Type.of(Type.Name.INTEGER));
        Statement statement = session.connect().createStatement();
        ResultSet none = statement.executeQuery("q");
        assertFalse(none.isBeforeFirst());
        assertFalse(none.isBeforeFirst());
        assertFalse(none.isAfterLast());
        assertFalse(none.next());
        query.row().setLong(0, 1);
        query.row().setLong(0, 2);
        statement.setMaxRows(1);
        ResultSet one = statement.executeQuery("q");
        assertTrue(one.isBeforeFirst());
        assertTrue(one.isBeforeFirst());
        assertEquals(0, one.getRow());
        assertFalse(one.isFirst());
        Expect.error("24000", "call next()", () -> one.getInt(1));
        assertTrue(one.next());
        assertFalse(one.isBeforeFirst());
        assertTrue(one.isFirst());
        assertEquals(1, one.getRow());
        assertEquals(1, one.getInt(1));
        assertFalse(one.next());
        assertFalse(one.isBeforeFirst());
        assertTrue(one.isAfterLast());
    }

    @Test
    void closedResultStaysClosedWhenItsStatementRunsAgain() throws SQLException {
        session.query("q", Type.of(Type.Name.INTEGER)).row().setLong(0, 1);
        PreparedStatement statement = session.connect().prepareStatement("q");
        ResultSet first = statement.executeQuery();
        ResultSet second = statement.executeQuery();
        assertNotSame(first, second);
        assertTrue(first.isClosed());
        first.close();
        assertTrue(second.next());
        assertEquals(1, second.getInt(1));
    }

    @Test
    void rowsEndAtTheirLimit() throws SQLException {
        FakePrepared query = session.query("q", Type.of(Type.Name.INTEGER));
        for (int i = 0; i < 5; i++) {
            query.row().setLong(0, i);
        }
        PreparedStatement statement = session.connect().prepareStatement("q");
        statement.setMaxRows(3);
        ResultSet rs = statement.executeQuery();
        int rows = 0;
        while (rs.next()) {
            rows++;
        }
        assertEquals(3, rows);
    }

    @Test
    void whatIsNotSupportedSaysSo() throws SQLException {
        ResultSet rs = onText("x");
        SQLFeatureNotSupportedException e =
                assertThrows(SQLFeatureNotSupportedException.class, rs::previous);
        assertEquals("0A000", e.getSQLState());
        assertThrows(SQLFeatureNotSupportedException.class, () -> rs.updateInt(1, 2));
        assertThrows(SQLFeatureNotSupportedException.class, () -> rs.updateString("a", ""));
        Expect.error("0A000", "TYPE_SCROLL_INSENSITIVE", rs::last);
        Expect.error("0A000", "UPDATE", rs::insertRow);
    }

    @Test
    void metaDataDescribesTheColumns() throws SQLException {
        session.query("q", new Type(Type.Name.DECIMAL, 10, 2), Type.varchar(20));
        ResultSetMetaData meta = session.connect().prepareStatement("q").getMetaData();
        assertEquals(2, meta.getColumnCount());
        assertEquals("a", meta.getColumnLabel(1));
        assertEquals(Types.DECIMAL, meta.getColumnType(1));
        assertEquals("DECIMAL", meta.getColumnTypeName(1));
        assertEquals(10, meta.getPrecision(1));
        assertEquals(2, meta.getScale(1));
        assertEquals(BigDecimal.class.getName(), meta.getColumnClassName(1));
        assertEquals(ResultSetMetaData.columnNoNulls, meta.isNullable(1));
        assertEquals(20, meta.getColumnDisplaySize(2));
        assertEquals("t", meta.getTableName(2));
        assertEquals(ResultSetMetaData.columnNullable, meta.isNullable(2));
        Expect.error("22023", "no column 3", () -> meta.getColumnName(3));
    }
}

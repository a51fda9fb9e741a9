package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.FakeSession.FakePrepared;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.Type;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.BatchUpdateException;
import java.sql.Date;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Calendar;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.ThrowingConsumer;

class JdbcPreparedStatementTest {
    private final FakeSession session = new FakeSession();

    /// What the engine sees of one parameter of type `name` that `setter` set.
    private String seen(Type.Name name, ThrowingConsumer<PreparedStatement> setter)
            throws SQLException {
        FakePrepared update = session.update("u", Type.of(name));
        PreparedStatement statement = session.connect().prepareStatement("u");
        try {
            setter.accept(statement);
        } catch (SQLException e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        assertEquals(1, statement.executeUpdate());
        return update.ran.getLast();
    }

    private void refused(
            String state, String part, Type.Name name, ThrowingConsumer<PreparedStatement> setter) {
        Expect.error(state, part, () -> seen(name, setter));
    }

    @Test
    void integersFitTheTypeOrAreErrors() throws SQLException {
        assertEquals("127", seen(Type.Name.TINYINT, s -> s.setInt(1, 127)));
        assertEquals("-32768", seen(Type.Name.SMALLINT, s -> s.setLong(1, -32768)));
        assertEquals("5", seen(Type.Name.BIGINT, s -> s.setByte(1, (byte) 5)));
        assertEquals("5", seen(Type.Name.DECIMAL, s -> s.setShort(1, (short) 5)));
        assertEquals("5", seen(Type.Name.DOUBLE, s -> s.setInt(1, 5)));
        assertEquals("5", seen(Type.Name.VARCHAR, s -> s.setInt(1, 5)));
        assertEquals("true", seen(Type.Name.BOOLEAN, s -> s.setInt(1, 1)));
        refused(
                "22003",
                "128 is out of range for parameter 1, TINYINT",
                Type.Name.TINYINT,
                s -> s.setInt(1, 128));
        refused("22003", "INTEGER", Type.Name.INTEGER, s -> s.setLong(1, 1L << 31));
        refused("22003", "BOOLEAN", Type.Name.BOOLEAN, s -> s.setInt(1, 2));
        refused("07006", "DATE and cannot take a number", Type.Name.DATE, s -> s.setInt(1, 2));
    }

    @Test
    void fractionsOnlyGoWhereTheyStayWhole() throws SQLException {
        assertEquals("2", seen(Type.Name.INTEGER, s -> s.setDouble(1, 2.0)));
        assertEquals("0.1", seen(Type.Name.DOUBLE, s -> s.setFloat(1, 0.1f)));
        assertEquals("0.1", seen(Type.Name.REAL, s -> s.setFloat(1, 0.1f)));
        assertEquals("0.1", seen(Type.Name.DECIMAL, s -> s.setDouble(1, 0.1)));
        assertEquals("7", seen(Type.Name.BIGINT, s -> s.setBigDecimal(1, new BigDecimal("7.00"))));
        assertEquals(
                "9223372036854775807",
                seen(Type.Name.BIGINT, s -> s.setObject(1, BigInteger.valueOf(Long.MAX_VALUE))));
        refused("22003", "2.5", Type.Name.INTEGER, s -> s.setDouble(1, 2.5));
        refused("22003", "7.5", Type.Name.BIGINT, s -> s.setBigDecimal(1, new BigDecimal("7.5")));
        assertEquals("NaN", seen(Type.Name.DECIMAL, s -> s.setDouble(1, Double.NaN)));
        refused("22003", "NaN", Type.Name.INTEGER, s -> s.setDouble(1, Double.NaN));
        refused(
                "22003",
                "1E+30",
                Type.Name.BIGINT,
                s -> s.setBigDecimal(1, new BigDecimal("1E+30")));
    }

    @Test
    void textsAreReadAsTheType() throws SQLException {
        assertEquals("x", seen(Type.Name.VARCHAR, s -> s.setString(1, "x")));
        assertEquals("12", seen(Type.Name.INTEGER, s -> s.setString(1, " 12")));
        assertEquals("1.50", seen(Type.Name.DECIMAL, s -> s.setString(1, "1.50")));
        assertEquals("true", seen(Type.Name.BOOLEAN, s -> s.setString(1, "on")));
        assertEquals("2024-02-29", seen(Type.Name.DATE, s -> s.setString(1, "2024-02-29")));
        assertEquals("12:30:00", seen(Type.Name.TIME, s -> s.setString(1, "12:30")));
        assertEquals(
                "2024-02-29 00:00:00",
                seen(Type.Name.TIMESTAMP, s -> s.setString(1, "2024-02-29")));
        assertEquals(
                "2024-02-29 10:00:00+00",
                seen(Type.Name.TIMESTAMP_TZ, s -> s.setString(1, "2024-02-29 12:00+02")));
        assertEquals("\\x0aff", seen(Type.Name.VARBINARY, s -> s.setString(1, "\\x0aff")));
        assertEquals("\\x61", seen(Type.Name.BLOB, s -> s.setString(1, "a")));
        refused("22P02", "'x' is not a number", Type.Name.INTEGER, s -> s.setString(1, "x"));
        refused("22008", "'2023-02-29'", Type.Name.DATE, s -> s.setString(1, "2023-02-29"));
        refused("22P02", "hexadecimal", Type.Name.BLOB, s -> s.setString(1, "\\xzz"));
    }

    /// Whatever a literal may be, and what `getString` returns.
    @Test
    void datesAndTimesAreReadAsLiteralsAre() throws SQLException {
        for (String[] each :
                new String[][] {
                    {"DATE", "2024-1-5", "2024-01-05"},
                    {"DATE", "12345-01-31", "12345-01-31"},
                    {"DATE", "-0044-03-15", "-0044-03-15"},
                    {"DATE", " 2024-01-05 12:30 ", "2024-01-05"},
                    {"TIME", "9:05", "09:05:00"},
                    {"TIME", "9:05:07.5", "09:05:07.5"},
                    {"TIMESTAMP", "2024-1-5 9:05", "2024-01-05 09:05:00"},
                    {"TIMESTAMP", "2024-01-05T09:05:07", "2024-01-05 09:05:07"},
                    {"TIMESTAMP", "12345-1-5 9:05+02", "12345-01-05 09:05:00"},
                    {"TIMESTAMP_TZ", "12345-1-5 9:05", "12345-01-05 09:05:00+00"},
                    {"TIMESTAMP_TZ", "2024-1-5 9:05 -02:30", "2024-01-05 11:35:00+00"},
                    {"TIMESTAMP_TZ", "2024-1-5 9:05Z", "2024-01-05 09:05:00+00"}
                }) {
            Type.Name type = Type.Name.valueOf(each[0]);
            assertEquals(each[2], seen(type, s -> s.setString(1, each[1])));
            assertEquals(each[2], seen(type, s -> s.setString(1, each[2])));
        }
        refused("22008", "'9:65' is not a TIME", Type.Name.TIME, s -> s.setString(1, "9:65"));
        refused("22007", "is not a DATE", Type.Name.DATE, s -> s.setString(1, "2024-1-5 x"));
        refused("22007", "is not a DATE", Type.Name.DATE, s -> s.setString(1, ""));
        refused(
                "22008",
                "is not a TIMESTAMP",
                Type.Name.TIMESTAMP,
                s -> s.setString(1, "999999999-01-01"));
    }

    @Test
    void datesAndTimesComeInManyClasses() throws SQLException {
        LocalDateTime moment = LocalDateTime.of(2024, 6, 30, 23, 59, 58, 123_456_000);
        String text = "2024-06-30 23:59:58.123456";
        assertEquals("2024-06-30", seen(Type.Name.DATE, s -> s.setObject(1, moment.toLocalDate())));
        assertEquals(
                "2024-06-30",
                seen(Type.Name.DATE, s -> s.setDate(1, Date.valueOf(moment.toLocalDate()))));
        assertEquals(
                "23:59:58.123456", seen(Type.Name.TIME, s -> s.setObject(1, moment.toLocalTime())));
        assertEquals(text, seen(Type.Name.TIMESTAMP, s -> s.setObject(1, moment)));
        assertEquals(
                text, seen(Type.Name.TIMESTAMP, s -> s.setTimestamp(1, Timestamp.valueOf(moment))));
        OffsetDateTime zoned = OffsetDateTime.parse("2024-07-01T01:59:58.123456+02:00");
        assertEquals(text + "+00", seen(Type.Name.TIMESTAMP_TZ, s -> s.setObject(1, zoned)));
        Instant instant = zoned.toInstant();
        assertEquals(text + "+00", seen(Type.Name.TIMESTAMP_TZ, s -> s.setObject(1, instant)));
        assertEquals(
                text + "+00",
                seen(Type.Name.TIMESTAMP_TZ, s -> s.setTimestamp(1, Timestamp.from(instant))));
        Calendar tokyo = Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"));
        tokyo.setTimeInMillis(instant.toEpochMilli());
        assertEquals(
                "2024-06-30 23:59:58.123+00",
                seen(Type.Name.TIMESTAMP_TZ, s -> s.setObject(1, tokyo)));
        assertEquals(
                "2024-07-01 08:59:58.123", seen(Type.Name.TIMESTAMP, s -> s.setObject(1, tokyo)));
        String inTokyo =
                LocalDateTime.ofInstant(instant, ZoneId.of("Asia/Tokyo"))
                        .toString()
                        .replace('T', ' ');
        assertEquals(
                inTokyo,
                seen(Type.Name.TIMESTAMP, s -> s.setTimestamp(1, Timestamp.from(instant), tokyo)));
        refused("07006", "timestamp with zone", Type.Name.TIMESTAMP, s -> s.setObject(1, instant));
        refused("07006", "without zone", Type.Name.TIMESTAMP_TZ, s -> s.setObject(1, moment));
        refused("07006", "a time", Type.Name.DATE, s -> s.setObject(1, LocalTime.NOON));
        refused(
                "22008",
                "out of range",
                Type.Name.TIMESTAMP,
                s -> s.setObject(1, LocalDateTime.MAX.minusDays(1)));
        assertEquals("infinity", seen(Type.Name.TIMESTAMP, s -> s.setObject(1, LocalDateTime.MAX)));
    }

    @Test
    void aDateTakesNoTimeOfDayButFromTheOldClasses() throws SQLException {
        LocalDateTime midnight = LocalDateTime.of(2024, 6, 30, 0, 0);
        LocalDateTime noon = midnight.plusHours(12);
        assertEquals("2024-06-30", seen(Type.Name.DATE, s -> s.setObject(1, midnight)));
        refused("22008", "give it a LocalDate", Type.Name.DATE, s -> s.setObject(1, noon));
        refused("22008", "", Type.Name.DATE, s -> s.setObject(1, midnight.plusNanos(1)));
        refused(
                "07006",
                "timestamp with zone",
                Type.Name.DATE,
                s -> s.setObject(1, midnight.atOffset(ZoneOffset.UTC)));
        Timestamp old = Timestamp.valueOf(noon);
        assertEquals("2024-06-30", seen(Type.Name.DATE, s -> s.setTimestamp(1, old)));
        assertEquals("2024-06-30", seen(Type.Name.DATE, s -> s.setObject(1, old)));
        assertEquals(
                "2024-06-30",
                seen(Type.Name.DATE, s -> s.setObject(1, java.util.Date.from(old.toInstant()))));
    }

    @Test
    void nanosecondsAreRounded() throws SQLException {
        assertEquals(
                "2024-01-01 00:00:00",
                seen(
                        Type.Name.TIMESTAMP,
                        s -> s.setObject(1, LocalDateTime.parse("2023-12-31T23:59:59.999999500"))));
        assertEquals("23:59:59.999999", seen(Type.Name.TIME, s -> s.setObject(1, LocalTime.MAX)));
    }

    @Test
    void bytesUuidsAndStreams() throws SQLException {
        UUID uuid = new UUID(1, 2);
        assertEquals(uuid.toString(), seen(Type.Name.UUID, s -> s.setObject(1, uuid)));
        assertEquals(uuid.toString(), seen(Type.Name.UUID, s -> s.setString(1, uuid.toString())));
        assertEquals(uuid.toString(), seen(Type.Name.VARCHAR, s -> s.setObject(1, uuid)));
        assertEquals("\\x01", seen(Type.Name.BLOB, s -> s.setBytes(1, new byte[] {1})));
        assertEquals(
                "abc", seen(Type.Name.CLOB, s -> s.setCharacterStream(1, new StringReader("abc"))));
        assertEquals("ab", seen(Type.Name.CLOB, s -> s.setClob(1, new StringReader("abc"), 2)));
        assertEquals(
                "\\x0102",
                seen(
                        Type.Name.BLOB,
                        s -> s.setBinaryStream(1, new ByteArrayInputStream(new byte[] {1, 2}), 2)));
        refused("07006", "2 bytes instead of 16", Type.Name.UUID, s -> s.setBytes(1, new byte[2]));
        refused(
                "22023",
                "ended after 1 of 5",
                Type.Name.CLOB,
                s -> s.setCharacterStream(1, new StringReader("a"), 5));
        refused("07006", "java.lang.Object", Type.Name.CLOB, s -> s.setObject(1, new Object()));
    }

    @Test
    void nullsComeInManyWays() throws SQLException {
        assertEquals("NULL", seen(Type.Name.INTEGER, s -> s.setNull(1, Types.INTEGER)));
        assertEquals("NULL", seen(Type.Name.INTEGER, s -> s.setObject(1, null)));
        assertEquals("NULL", seen(Type.Name.VARCHAR, s -> s.setString(1, null)));
        assertEquals("NULL", seen(Type.Name.DATE, s -> s.setDate(1, null)));
        assertEquals("NULL", seen(Type.Name.BLOB, s -> s.setBytes(1, null)));
    }

    @Test
    void missingAndExcessParametersAreNamed() throws SQLException {
        session.update("u", Type.of(Type.Name.INTEGER), Type.of(Type.Name.INTEGER));
        PreparedStatement statement = session.connect().prepareStatement("u");
        Expect.error("07001", "Parameter 1 has no value", statement::executeUpdate);
        statement.setInt(1, 1);
        Expect.error("07001", "Parameter 2 has no value", statement::executeUpdate);
        Expect.error("07001", "Parameter 2", statement::addBatch);
        Expect.error(
                "22023",
                "no parameter 3: the statement has the parameters 1 to 2",
                () -> statement.setInt(3, 1));
        Expect.error("22023", "no parameter 0", () -> statement.setInt(0, 1));
        statement.setInt(2, 2);
        assertEquals(1, statement.executeUpdate());
        statement.clearParameters();
        Expect.error("07001", "Parameter 1 has no value", statement::executeUpdate);
        Expect.error(
                "07001",
                "prepareStatement",
                () -> session.connect().createStatement().executeUpdate("u"));
    }

    @Test
    void batchIsOneCallWithTheRowsAsTheyWere() throws SQLException {
        FakePrepared update =
                session.update("u", Type.of(Type.Name.INTEGER), Type.of(Type.Name.VARCHAR));
        PreparedStatement statement = session.connect().prepareStatement("u");
        for (int i = 1; i <= 3; i++) {
            statement.setInt(1, i);
            statement.setString(2, i == 2 ? null : "x" + i);
            statement.addBatch();
        }
        assertArrayEquals(new int[] {1, 1, 1}, statement.executeBatch());
        assertEquals(List.of("1, x1", "2, NULL", "3, x3"), update.ran);
        assertArrayEquals(new int[0], statement.executeBatch());
        statement.setInt(1, 9);
        statement.addBatch();
        statement.clearBatch();
        statement.addBatch();
        assertArrayEquals(new long[] {1}, statement.executeLargeBatch());
        assertEquals("9, x3", update.ran.getLast());
    }

    @Test
    void failedBatchDidNothingAndIsForgotten() throws SQLException {
        FakePrepared update = session.update("u", Type.of(Type.Name.INTEGER));
        update.failure =
                new ConstraintException(
                        ConstraintException.Kind.DUPLICATE_KEY, "Duplicate key", "table=t");
        PreparedStatement statement = session.connect().prepareStatement("u");
        statement.setInt(1, 1);
        statement.addBatch();
        BatchUpdateException e = assertThrows(BatchUpdateException.class, statement::executeBatch);
        assertEquals("23505", e.getSQLState());
        assertEquals(0, e.getUpdateCounts().length);
        assertEquals("23505", e.getNextException().getSQLState());
        assertArrayEquals(new int[0], statement.executeBatch());
    }

    @Test
    void statementOfTheWrongKindSaysWhatToCall() throws SQLException {
        session.query("q", Type.of(Type.Name.INTEGER));
        session.update("u");
        PreparedStatement query = session.connect().prepareStatement("q");
        PreparedStatement update = session.connect().prepareStatement("u");
        Expect.error("07005", "use executeQuery", query::executeUpdate);
        Expect.error("07005", "use executeUpdate", update::executeQuery);
        assertTrue(query.execute());
        assertEquals(-1, query.getUpdateCount());
        assertTrue(!update.execute());
        assertEquals(1, update.getUpdateCount());
        Expect.error("07005", "its own SQL", () -> query.executeQuery("q"));
    }

    @Test
    void timeoutCancelsAndSaysSo() throws SQLException {
        FakePrepared update = session.update("u");
        update.runsUntilCancelled = true;
        PreparedStatement statement = session.connect().prepareStatement("u");
        statement.setQueryTimeout(1);
        SQLTimeoutException e = assertThrows(SQLTimeoutException.class, statement::executeUpdate);
        assertEquals("57014", e.getSQLState());
        assertEquals(Set.of("cancel"), Set.copyOf(session.calls));
    }

    @Test
    @Timeout(60)
    void timeoutThatComesBeforeTheStatementHasBegunCancelsItToo() throws SQLException {
        FakePrepared update = session.update("u");
        update.runsUntilCancelled = true;
        session.cancelsForgotten = 2;
        PreparedStatement statement = session.connect().prepareStatement("u");
        statement.setQueryTimeout(1);
        assertThrows(SQLTimeoutException.class, statement::executeUpdate);
        update.runsUntilCancelled = false;
        statement.setQueryTimeout(0);
        assertEquals(1, statement.executeUpdate());
    }

    @Test
    void timeoutOfAFinishedStatementCancelsNothing() throws Exception {
        session.update("u");
        PreparedStatement statement = session.connect().prepareStatement("u");
        Deadline deadline = Deadline.start(session, 1000 * 1_000L, false);
        deadline.end();
        assertTrue(!deadline.passed());
        statement.setQueryTimeout(1000);
        statement.executeUpdate();
        assertEquals(List.of(), session.calls);
    }

    @Test
    void timeoutBetweenTwoCallsCancelsNobodyElse() throws SQLException {
        FakePrepared query = session.query("q", Type.of(Type.Name.INTEGER));
        query.row();
        query.row();
        JdbcConnection connection = session.connect();
        JdbcPreparedStatement statement =
                connection.prepareStatement("q").unwrap(JdbcPreparedStatement.class);
        statement.setQueryTimeout(1000);
        ResultSet rs = statement.executeQuery();
        assertTrue(rs.next());
        Objects.requireNonNull(statement.deadline()).pass();
        assertEquals(List.of(), session.calls);
        assertThrows(SQLTimeoutException.class, rs::next);
        assertTrue(rs.isClosed());
        assertTrue(statement.executeQuery().next());
    }

    @Test
    void timeoutOfAResultThatACommitHasEndedIsOver() throws SQLException {
        FakePrepared query = session.query("q", Type.of(Type.Name.INTEGER));
        query.row();
        JdbcConnection connection = session.connect();
        connection.setAutoCommit(false);
        JdbcPreparedStatement statement =
                connection.prepareStatement("q").unwrap(JdbcPreparedStatement.class);
        statement.setQueryTimeout(1000);
        assertTrue(statement.executeQuery().next());
        Deadline ended = Objects.requireNonNull(statement.deadline());
        connection.commit();
        ended.pass();
        statement.setQueryTimeout(0);
        assertTrue(statement.executeQuery().next());
    }

    @Test
    void parameterMetaDataTellsTheTypes() throws SQLException {
        session.update("u", new Type(Type.Name.DECIMAL, 8, 3), Type.of(Type.Name.DATE));
        ParameterMetaData meta = session.connect().prepareStatement("u").getParameterMetaData();
        assertEquals(2, meta.getParameterCount());
        assertEquals(Types.DECIMAL, meta.getParameterType(1));
        assertEquals(8, meta.getPrecision(1));
        assertEquals(3, meta.getScale(1));
        assertEquals("DATE", meta.getParameterTypeName(2));
        Expect.error("22023", "no parameter 3", () -> meta.getParameterType(3));
    }

    @Test
    void parametersSurviveAFailure() throws SQLException {
        FakePrepared update = session.update("u", Type.of(Type.Name.DATE));
        PreparedStatement statement = session.connect().prepareStatement("u");
        statement.setObject(1, LocalDate.EPOCH);
        update.failure = new IllegalStateException("broken");
        Expect.error("XX000", "Internal error", statement::executeUpdate);
        update.failure = null;
        assertEquals(1, statement.executeUpdate());
        assertEquals(List.of("1970-01-01", "1970-01-01"), update.ran);
    }
}

package dev.oriel;

import dev.oriel.sql.Prepared;
import dev.oriel.store.ClosedException;
import dev.oriel.store.DatabaseException;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.ZoneId;
import java.util.Calendar;
import org.jspecify.annotations.Nullable;

/// The rows of one execution, read forwards, or kept by [ScrollingResultSet]. Getters read the engine's own row, so
/// the connection has this result copy its row before the session writes.
@SuppressWarnings("deprecation") // getBigDecimal with a scale
sealed class JdbcResultSet extends LabelledResultSet permits ScrollingResultSet {
    private static final int NOT_MOVED = -1;
    private static final int BEFORE_FIRST = 0;
    private static final int ON_ROW = 1;
    private static final int AFTER_LAST = 2;
    private static final int CLOSED = 3;

    /// Before the first row, which the engine stands on already.
    private static final int LOOKED_AHEAD = 4;

    private final JdbcConnection connection;
    private final CallLock lock;
    private final JdbcStatement statement;
    private final Columns columns;
    private final Prepared.Result result;
    private final long rowsMax;

    /// The result itself, or a copy of the row it stands on.
    private Row row;

    private @Nullable Tuple copy;
    private boolean detached;
    private int state = BEFORE_FIRST;

    /// Whether it is none of the open results of its connection.
    private boolean outliving;

    private long rowNumber;
    private boolean wasNull;

    /// @param rowsMax after how many rows to stop
    JdbcResultSet(JdbcStatement statement, Columns columns, Prepared.Result result, long rowsMax) {
        this.statement = statement;
        this.connection = statement.connection();
        this.lock = connection.lock();
        this.columns = columns;
        this.result = result;
        this.rowsMax = rowsMax;
        this.row = result;
    }

    @Override
    public boolean next() throws SQLException {
        if (state <= ON_ROW && !outliving && statement.deadline() == null) {
            CallLock.Owner reader = lock.tryBeginRead();
            int reached = reader == null ? NOT_MOVED : step(reader);
            if (reached != NOT_MOVED) {
                return reached == ON_ROW;
            }
        }
        connection.enter();
        try {
            if (state >= AFTER_LAST) {
                checkOpen();
                if (state == LOOKED_AHEAD) {
                    rowNumber++;
                    state = ON_ROW;
                    return true;
                }
                return false;
            }
            return move();
        } finally {
            connection.exit();
        }
    }

    /// Moves within a read of `reader`, which ends here and may close this object; returns the state reached.
    ///
    /// @return [#ON_ROW], [#AFTER_LAST], or [#NOT_MOVED] if that needs a call
    private int step(CallLock.Owner reader) throws SQLException {
        try {
            if (state > ON_ROW || detached || rowNumber >= rowsMax) {
                return NOT_MOVED;
            }
            boolean moved = result.next();
            checkOpen(); // a function in it may have closed this object
            if (moved) {
                rowNumber++;
                state = ON_ROW;
                return ON_ROW;
            }
            state = AFTER_LAST;
            finish();
            return AFTER_LAST;
        } catch (RuntimeException e) {
            throw closedBy(unread(e));
        } finally {
            endRead(reader);
        }
    }

    /// Ends the execution after the last row: the engine need not hold its snapshot until this object is closed.
    private void finish() {
        result.close();
        statement.finished();
    }

    private boolean move() throws SQLException {
        Deadline limit = statement.deadline();
        if (limit == null) {
            return advance();
        }
        if (!limit.enter()) {
            throw closedBy(statement.passed(limit, null));
        }
        try {
            return advance();
        } finally {
            limit.leave();
        }
    }

    private boolean advance() throws SQLException {
        try {
            boolean moved = rowNumber < rowsMax && result.next();
            checkOpen(); // a function in it may have closed this object
            if (!moved) {
                state = AFTER_LAST;
                finish();
                return false;
            }
            if (detached) {
                row = result;
                detached = false;
            }
            rowNumber++;
            state = ON_ROW;
            return true;
        } catch (RuntimeException e) {
            throw closedBy(unread(e));
        }
    }

    /// Begins a getter, to be ended by [#endRead]. A getter of another thread than the one that entered the connection
    /// last enters it first.
    private CallLock.Owner beginRead() throws SQLException {
        CallLock.Owner reader = lock.tryBeginRead();
        while (reader == null) {
            connection.enter();
            connection.exit();
            reader = lock.tryBeginRead();
        }
        return reader;
    }

    private void endRead(CallLock.Owner reader) {
        reader.endRead();
        connection.readEnded();
    }

    /// Position of `column` in the row, from 0.
    private int position(int column) throws SQLException {
        if (state == ON_ROW && column >= 1 && column <= columns.count()) {
            return column - 1;
        }
        throw state == ON_ROW ? noColumn(column) : noRow();
    }

    /// A result that failed is closed: going on as if it had ended would hide rows.
    private SQLException closedBy(SQLException failure) {
        try {
            close();
        } catch (SQLException second) {
            failure.addSuppressed(second);
        }
        return failure;
    }

    /// Copies the row that the result stands on, for the engine's own view of it ends. A result that the engine
    /// has ended already is closed.
    void detach() {
        if ((state != ON_ROW && state != LOOKED_AHEAD) || detached) {
            return;
        }
        if (copy == null) {
            copy = new Tuple(columns.count());
        }
        try {
            for (int i = 0; i < columns.count(); i++) {
                copy.copy(i, result, i, columns.shape(i));
            }
            row = copy;
            detached = true;
        } catch (DatabaseException e) {
            ended();
        }
    }

    /// The current row as a new result, which outlives this one and its transaction.
    final JdbcResultSet kept() {
        detach();
        JdbcResultSet kept = new JdbcResultSet(statement, columns, result, rowsMax);
        kept.standOn(row, 1);
        return kept.outliving();
    }

    /// Lets the result outlive its transaction; returns it.
    final JdbcResultSet outliving() {
        outliving = true;
        return this;
    }

    @Override
    public void close() throws SQLException {
        connection.enter();
        try {
            if (state == CLOSED) {
                return;
            }
            state = CLOSED;
            try {
                result.close();
            } catch (RuntimeException e) {
                throw statement.failure(e);
            } finally {
                statement.closed(this);
            }
        } finally {
            connection.exit();
        }
    }

    /// Stands on `kept`, a row that is not the engine's.
    final void standOn(Row kept, long number) {
        row = kept;
        rowNumber = number;
        state = ON_ROW;
    }

    final void standBefore() {
        state = BEFORE_FIRST;
    }

    final void standAfter() {
        state = AFTER_LAST;
    }

    /// Marks it closed after the engine has ended it: its transaction is over.
    void ended() {
        state = CLOSED;
    }

    @Override
    public boolean isClosed() {
        return state == CLOSED;
    }

    final void checkOpen() throws SQLException {
        if (state == CLOSED) {
            throw SqlStates.exception(
                    SqlStates.CURSOR_STATE,
                    "The ResultSet is closed: it, its statement or its transaction has ended");
        }
    }

    private SQLException noColumn(int column) {
        return SqlStates.exception(
                SqlStates.INVALID_ARGUMENT,
                "There is no column " + column + ": the result has 1 to " + columns.count());
    }

    private boolean isArray(int column) {
        return column >= 1
                && column <= columns.count()
                && columns.type(column - 1).element() != null;
    }

    private SQLException noRow() throws SQLException {
        checkOpen();
        return SqlStates.exception(
                SqlStates.CURSOR_STATE,
                state == BEFORE_FIRST || state == LOOKED_AHEAD
                        ? "The ResultSet is before its first row; call next()"
                        : "The ResultSet is after its last row");
    }

    /// The error of a value that the engine cannot read: columns are fetched by their getters.
    private SQLException unread(RuntimeException e) {
        return e instanceof ClosedException ? transactionEnded(e) : statement.failure(e);
    }

    private static SQLException transactionEnded(RuntimeException e) {
        return SqlStates.exception(
                SqlStates.CURSOR_STATE, "The transaction of the ResultSet has ended", e);
    }

    /// Whether there is a value; remembers it for `wasNull`.
    private boolean present(int at) {
        wasNull = row.isNull(at);
        return !wasNull;
    }

    @Override
    public boolean wasNull() throws SQLException {
        checkOpen();
        return wasNull;
    }

    @Override
    public int findColumn(String label) throws SQLException {
        checkOpen();
        return columns.find(label);
    }

    @Override
    public @Nullable String getString(int column) throws SQLException {
        CallLock.Owner reader = beginRead();
        try {
            int at = position(column);
            if (columns.shape(at).isText()) {
                String text = row.textAt(at);
                wasNull = text == null;
                return text;
            }
            return present(at)
                    ? Values.textOf(row, at, columns.type(at), connection.session())
                    : null;
        } catch (RuntimeException e) {
            throw unread(e);
        } finally {
            endRead(reader);
        }
    }

    @Override
    public long getLong(int column) throws SQLException {
        CallLock.Owner reader = beginRead();
        try {
            int at = position(column);
            return present(at) ? Values.longOf(row, at, columns.type(at)) : 0;
        } catch (RuntimeException e) {
            throw unread(e);
        } finally {
            endRead(reader);
        }
    }

    @Override
    public int getInt(int column) throws SQLException {
        return (int) integer(column, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    @Override
    public short getShort(int column) throws SQLException {
        return (short) integer(column, Short.MIN_VALUE, Short.MAX_VALUE);
    }

    @Override
    public byte getByte(int column) throws SQLException {
        return (byte) integer(column, Byte.MIN_VALUE, Byte.MAX_VALUE);
    }

    private long integer(int column, long min, long max) throws SQLException {
        CallLock.Owner reader = beginRead();
        try {
            int at = position(column);
            return present(at) ? Values.integerOf(row, at, columns.type(at), min, max) : 0;
        } catch (RuntimeException e) {
            throw unread(e);
        } finally {
            endRead(reader);
        }
    }

    @Override
    public boolean getBoolean(int column) throws SQLException {
        CallLock.Owner reader = beginRead();
        try {
            int at = position(column);
            return present(at) && Values.booleanOf(row, at, columns.type(at));
        } catch (RuntimeException e) {
            throw unread(e);
        } finally {
            endRead(reader);
        }
    }

    @Override
    public double getDouble(int column) throws SQLException {
        CallLock.Owner reader = beginRead();
        try {
            int at = position(column);
            return present(at) ? Values.doubleOf(row, at, columns.type(at)) : 0;
        } catch (RuntimeException e) {
            throw unread(e);
        } finally {
            endRead(reader);
        }
    }

    @Override
    public float getFloat(int column) throws SQLException {
        return (float) getDouble(column);
    }

    @Override
    public @Nullable BigDecimal getBigDecimal(int column) throws SQLException {
        CallLock.Owner reader = beginRead();
        try {
            int at = position(column);
            return present(at) ? Values.decimalOf(row, at, columns.type(at)) : null;
        } catch (RuntimeException e) {
            throw unread(e);
        } finally {
            endRead(reader);
        }
    }

    @Override
    public @Nullable BigDecimal getBigDecimal(int column, int scale) throws SQLException {
        BigDecimal value = getBigDecimal(column);
        return value == null ? null : Values.scaled(value, scale);
    }

    @Override
    public byte @Nullable [] getBytes(int column) throws SQLException {
        CallLock.Owner reader = beginRead();
        try {
            int at = position(column);
            return present(at) ? Values.bytesOf(row, at, columns.type(at)) : null;
        } catch (RuntimeException e) {
            throw unread(e);
        } finally {
            endRead(reader);
        }
    }

    @Override
    public @Nullable Object getObject(int column) throws SQLException {
        if (isArray(column)) {
            return getArray(column);
        }
        CallLock.Owner reader = beginRead();
        try {
            int at = position(column);
            return present(at) ? JavaValues.objectOf(row, at, columns.type(at)) : null;
        } catch (RuntimeException e) {
            throw unread(e);
        } finally {
            endRead(reader);
        }
    }

    @Override
    public @Nullable Array getArray(int column) throws SQLException {
        CallLock.Owner reader = beginRead();
        try {
            int at = position(column);
            if (!present(at)) {
                return null;
            }
            Type type = columns.type(at);
            Tuple elements = Values.elementsOf(row, at, type);
            Type element = type.element() == null ? type : type.element();
            return JdbcArray.of(connection, element, elements);
        } catch (RuntimeException e) {
            throw unread(e);
        } finally {
            endRead(reader);
        }
    }

    @Override
    public <T> @Nullable T getObject(int column, Class<T> type) throws SQLException {
        if (type == null) {
            throw SqlStates.exception(
                    SqlStates.INVALID_ARGUMENT, "The class is null; pass the class of the value");
        }
        if ((type == Array.class || type == Object.class) && isArray(column)) {
            return type.cast(getArray(column));
        }
        if (type == String.class) {
            return type.cast(getString(column));
        }
        if (type == Blob.class) {
            return type.cast(getBlob(column));
        }
        if (type == Clob.class || type == NClob.class) {
            return type.cast(getNClob(column));
        }
        if (type == InputStream.class) {
            return type.cast(getBinaryStream(column));
        }
        if (type == Reader.class) {
            return type.cast(getCharacterStream(column));
        }
        CallLock.Owner reader = beginRead();
        try {
            int at = position(column);
            return present(at) ? JavaValues.as(row, at, columns.type(at), type) : null;
        } catch (RuntimeException e) {
            throw unread(e);
        } finally {
            endRead(reader);
        }
    }

    @Override
    public @Nullable Date getDate(int column) throws SQLException {
        return getDate(column, null);
    }

    @Override
    public @Nullable Date getDate(int column, @Nullable Calendar calendar) throws SQLException {
        CallLock.Owner reader = beginRead();
        try {
            int at = position(column);
            return present(at)
                    ? JavaValues.sqlDateOf(row, at, columns.type(at), zone(calendar))
                    : null;
        } catch (RuntimeException e) {
            throw unread(e);
        } finally {
            endRead(reader);
        }
    }

    @Override
    public @Nullable Time getTime(int column) throws SQLException {
        return getTime(column, null);
    }

    @Override
    public @Nullable Time getTime(int column, @Nullable Calendar calendar) throws SQLException {
        CallLock.Owner reader = beginRead();
        try {
            int at = position(column);
            return present(at)
                    ? JavaValues.sqlTimeOf(row, at, columns.type(at), zone(calendar))
                    : null;
        } catch (RuntimeException e) {
            throw unread(e);
        } finally {
            endRead(reader);
        }
    }

    @Override
    public @Nullable Timestamp getTimestamp(int column) throws SQLException {
        return getTimestamp(column, null);
    }

    @Override
    public @Nullable Timestamp getTimestamp(int column, @Nullable Calendar calendar)
            throws SQLException {
        CallLock.Owner reader = beginRead();
        try {
            int at = position(column);
            return present(at)
                    ? JavaValues.sqlTimestampOf(row, at, columns.type(at), zone(calendar))
                    : null;
        } catch (RuntimeException e) {
            throw unread(e);
        } finally {
            endRead(reader);
        }
    }

    static ZoneId zone(@Nullable Calendar calendar) {
        return calendar == null ? ZoneId.systemDefault() : calendar.getTimeZone().toZoneId();
    }

    @Override
    public @Nullable InputStream getBinaryStream(int column) throws SQLException {
        byte[] bytes = getBytes(column);
        return bytes == null ? null : new ByteArrayInputStream(bytes);
    }

    @Override
    public @Nullable InputStream getAsciiStream(int column) throws SQLException {
        String text = getString(column);
        return text == null
                ? null
                : new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public @Nullable Reader getCharacterStream(int column) throws SQLException {
        String text = getString(column);
        return text == null ? null : new StringReader(text);
    }

    @Override
    public @Nullable Blob getBlob(int column) throws SQLException {
        byte[] bytes = getBytes(column);
        return bytes == null ? null : new BytesBlob(bytes);
    }

    @Override
    public @Nullable Clob getClob(int column) throws SQLException {
        return getNClob(column);
    }

    @Override
    public @Nullable NClob getNClob(int column) throws SQLException {
        String text = getString(column);
        return text == null ? null : new TextClob(text);
    }

    @Override
    public @Nullable Reader getNCharacterStream(int column) throws SQLException {
        return getCharacterStream(column);
    }

    @Override
    public @Nullable String getNString(int column) throws SQLException {
        return getString(column);
    }

    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        checkOpen();
        return new JdbcResultSetMetaData(columns);
    }

    @Override
    public Statement getStatement() throws SQLException {
        checkOpen();
        return statement;
    }

    @Override
    public int getRow() throws SQLException {
        checkOpen();
        return state == ON_ROW ? (int) Math.min(rowNumber, Integer.MAX_VALUE) : 0;
    }

    /// Reads the first row to find out whether there is one: a result without rows has no place before them.
    @Override
    public boolean isBeforeFirst() throws SQLException {
        connection.enter();
        try {
            checkOpen();
            if (state == BEFORE_FIRST && move()) {
                rowNumber = 0;
                state = LOOKED_AHEAD;
            }
            return state == LOOKED_AHEAD;
        } finally {
            connection.exit();
        }
    }

    @Override
    public boolean isAfterLast() throws SQLException {
        checkOpen();
        return state == AFTER_LAST && rowNumber > 0;
    }

    @Override
    public boolean isFirst() throws SQLException {
        checkOpen();
        return state == ON_ROW && rowNumber == 1;
    }

    /// Not known without reading on.
    @Override
    public boolean isLast() throws SQLException {
        throw SqlStates.unsupported(
                "isLast() needs a scrollable ResultSet; ask for TYPE_SCROLL_INSENSITIVE, or use"
                        + " next()");
    }

    @Override
    public void setFetchDirection(int direction) throws SQLException {
        checkOpen();
        checkDirection(direction);
        if (direction != FETCH_FORWARD) {
            throw SqlStates.unsupported(
                    "This result is read forwards only; ask for TYPE_SCROLL_INSENSITIVE");
        }
    }

    static void checkDirection(int direction) throws SQLException {
        if (direction != FETCH_FORWARD
                && direction != FETCH_REVERSE
                && direction != FETCH_UNKNOWN) {
            throw SqlStates.exception(
                    SqlStates.INVALID_ARGUMENT, "No such fetch direction: " + direction);
        }
    }

    @Override
    public int getFetchDirection() throws SQLException {
        checkOpen();
        return FETCH_FORWARD;
    }

    @Override
    public void setFetchSize(int rows) throws SQLException {
        checkOpen();
        StatementOptions.checkNotNegative(rows, "fetch size");
    }

    @Override
    public int getFetchSize() throws SQLException {
        checkOpen();
        return 0;
    }

    @Override
    public int getType() throws SQLException {
        checkOpen();
        return TYPE_FORWARD_ONLY;
    }

    @Override
    public int getConcurrency() throws SQLException {
        checkOpen();
        return CONCUR_READ_ONLY;
    }

    @Override
    public int getHoldability() throws SQLException {
        checkOpen();
        return CLOSE_CURSORS_AT_COMMIT;
    }

    @Override
    public boolean rowUpdated() throws SQLException {
        checkOpen();
        return false;
    }

    @Override
    public boolean rowInserted() throws SQLException {
        checkOpen();
        return false;
    }

    @Override
    public boolean rowDeleted() throws SQLException {
        checkOpen();
        return false;
    }

    @Override
    public @Nullable SQLWarning getWarnings() throws SQLException {
        checkOpen();
        return null;
    }

    @Override
    public void clearWarnings() throws SQLException {
        checkOpen();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return Wrappers.unwrap(this, type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return Wrappers.isFor(this, type);
    }
}

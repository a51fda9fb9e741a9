package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.oriel.io.LockedException;
import dev.oriel.sql.SqlException;
import dev.oriel.store.ClosedException;
import dev.oriel.store.ConflictException;
import dev.oriel.store.ConflictException.Reason;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.LimitException;
import dev.oriel.store.StorageException;
import dev.oriel.store.UsageException;
import dev.oriel.table.definition.ConstraintException;
import java.io.IOException;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientException;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SqlStatesTest {
    private static void check(
            String state, Class<? extends SQLException> type, RuntimeException error) {
        SQLException e = SqlStates.exception(error);
        assertEquals(state, e.getSQLState());
        assertEquals(type, e.getClass());
        assertSame(error, e.getCause());
        assertEquals(error.getMessage(), e.getMessage());
    }

    private static SqlException sql(SqlException.Kind kind) {
        return new SqlException(kind, "message", 3, null);
    }

    private static ConstraintException constraint(ConstraintException.Kind kind) {
        return new ConstraintException(kind, "message", "table=t");
    }

    @Test
    void errorsOfTheStoreHaveTheirStates() {
        check("XX001", SQLException.class, new CorruptionException("page", "7"));
        check("58030", SQLException.class, new StorageException("io", ""));
        check("08003", SQLNonTransientConnectionException.class, new ClosedException("c", ""));
        check("54000", SQLException.class, new LimitException("l", ""));
        check(
                "55006",
                SQLTransientException.class,
                new LimitException("in use", "", new LockedException("process 1")));
        check(
                "53100",
                SQLTransientException.class,
                new LimitException("full", "", new IOException("No space left on device")));
        check("55000", SQLTransientException.class, new UsageException("u", ""));
    }

    @Test
    void conflictsHaveTheStateOfTheirReason() {
        checkConflict("40001", SQLTransactionRollbackException.class, Reason.CHANGED);
        checkConflict("40001", SQLTransactionRollbackException.class, Reason.SNAPSHOT_TOO_OLD);
        checkConflict("40P01", SQLTransactionRollbackException.class, Reason.DEADLOCK);
        checkConflict("55P03", SQLTransientException.class, Reason.LOCKED);
        checkConflict("57014", SQLException.class, Reason.INTERRUPTED);
    }

    private static void checkConflict(
            String state, Class<? extends SQLException> type, Reason reason) {
        check(state, type, new ConflictException(reason, "c", ""));
    }

    @Test
    void errorsOfStatementsHaveTheirStates() {
        check("42601", SQLSyntaxErrorException.class, sql(SqlException.Kind.SYNTAX));
        check("42P01", SQLSyntaxErrorException.class, sql(SqlException.Kind.UNKNOWN_TABLE));
        check("42703", SQLSyntaxErrorException.class, sql(SqlException.Kind.UNKNOWN_COLUMN));
        check("22P02", SQLDataException.class, sql(SqlException.Kind.INVALID_VALUE));
        check("22012", SQLDataException.class, sql(SqlException.Kind.DIVISION_BY_ZERO));
        check("0A000", SQLFeatureNotSupportedException.class, sql(SqlException.Kind.NOT_SUPPORTED));
        check("57014", SQLException.class, sql(SqlException.Kind.CANCELLED));
    }

    @Test
    void everyKindOfStatementErrorHasAStateOfItsOwn() {
        Map<SqlException.Kind, String> states = new EnumMap<>(SqlException.Kind.class);
        for (SqlException.Kind kind : SqlException.Kind.values()) {
            states.put(kind, SqlStates.of(sql(kind)));
        }
        Set<String> distinct = new HashSet<>(states.values());
        assertEquals(states.size(), distinct.size(), states.toString());
    }

    @Test
    void brokenConstraintsHaveTheirStates() {
        check(
                "23505",
                SQLIntegrityConstraintViolationException.class,
                constraint(ConstraintException.Kind.DUPLICATE_KEY));
        check(
                "23502",
                SQLIntegrityConstraintViolationException.class,
                constraint(ConstraintException.Kind.NOT_NULL));
        check("22001", SQLDataException.class, constraint(ConstraintException.Kind.VALUE_TOO_LONG));
        check("22003", SQLDataException.class, constraint(ConstraintException.Kind.OUT_OF_RANGE));
        check(
                "42P07",
                SQLSyntaxErrorException.class,
                constraint(ConstraintException.Kind.DUPLICATE_NAME));
    }

    @Test
    void errorOfNobodysIsCalledOurs() {
        IllegalStateException bug = new IllegalStateException("oops");
        SQLException e = SqlStates.exception(bug);
        assertEquals("XX000", e.getSQLState());
        assertSame(bug, e.getCause());
        assertInstanceOf(SQLException.class, e);
    }
}

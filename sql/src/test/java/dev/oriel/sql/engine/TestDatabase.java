package dev.oriel.sql.engine;

import dev.oriel.io.Directory;
import dev.oriel.sql.Prepared;
import dev.oriel.sql.Session;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.sql.watch.Watch;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.Durability;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import dev.oriel.table.definition.Type;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A database in memory with one session, which answers in text. Its clock stands still. Checks the whole structure
/// when it is closed.
public final class TestDatabase implements AutoCloseable {
    static final Instant NOW = Instant.parse("2024-02-29T12:30:00.25Z");

    private final Tables tables;
    private final Sql sql;
    private final Session session;

    public TestDatabase() {
        this(10_000);
    }

    /// @param writeTimeoutMillis time that a writer waits for the previous one
    public TestDatabase(long writeTimeoutMillis) {
        this(Store.inMemory(options().withWriteTimeoutMillis(writeTimeoutMillis)));
    }

    private TestDatabase(Store store) {
        tables = Tables.open(store);
        sql = new Sql(tables, InstantSource.fixed(NOW), TestDatabase::state);
        session = sql.session();
    }

    private static StoreOptions options() {
        return StoreOptions.defaults().withDurability(Durability.ASYNC);
    }

    /// A database in `directory`, with a memory budget for statements. Commits write to the log themselves: with a
    /// background writer, the order of calls would not be deterministic.
    public static TestDatabase on(Directory directory, long queryBytesMax) {
        StoreOptions written = options().withDurability(Durability.WRITTEN);
        TestDatabase database = new TestDatabase(Store.open(directory, written));
        database.sql.queryBytesMax(queryBytesMax);
        return database;
    }

    private static String state(DatabaseException failure) {
        return failure instanceof SqlException known
                ? known.kind().toString()
                : failure.getClass().getSimpleName();
    }

    public Sql sql() {
        return sql;
    }

    /// Watch of its sessions.
    @SuppressWarnings("exports") // for tests of this module only
    public Watch watch() {
        return sql.watch();
    }

    /// Number of transactions that wait for a lock now.
    public int lockWaits() {
        return tables.lockWaits().size();
    }

    public Session session() {
        return session;
    }

    /// Runs the statements of a script, which are separated by `;` at the ends of lines.
    public String answer(String script) {
        List<String> answers = new ArrayList<>();
        for (String statement : script.split(";\n", -1)) {
            if (!statement.isBlank()) {
                answers.add(run(session, statement));
            }
        }
        return String.join("\n", answers);
    }

    /// Rows a line each, or a count, or the error.
    public static String run(Session session, String text, @Nullable Object... parameters) {
        try (Prepared prepared = session.prepare(text)) {
            fill(prepared, parameters);
            if (!prepared.isQuery()) {
                return prepared.update() + " changed";
            }
            return String.join("\n", rows(prepared));
        } catch (SqlException failure) {
            return failure.kind() + ": " + failure.getMessage();
        } catch (DatabaseException failure) {
            return failure.getClass().getSimpleName() + ": " + failure.getMessage();
        }
    }

    public List<String> query(String text, @Nullable Object... parameters) {
        try (Prepared prepared = session.prepare(text)) {
            fill(prepared, parameters);
            return rows(prepared);
        }
    }

    public long update(String text, @Nullable Object... parameters) {
        try (Prepared prepared = session.prepare(text)) {
            fill(prepared, parameters);
            return prepared.update();
        }
    }

    public static void fill(Prepared prepared, @Nullable Object... parameters) {
        for (int i = 0; i < parameters.length; i++) {
            set(prepared.values(), i, parameters[i]);
        }
    }

    static void set(Tuple tuple, int i, @Nullable Object value) {
        switch (value) {
            case null -> tuple.setNull(i);
            case Integer number -> tuple.setLong(i, number);
            case Long number -> tuple.setLong(i, number);
            case Double number -> tuple.setDouble(i, number);
            case BigDecimal number -> tuple.setDecimal(i, number);
            case byte[] bytes -> tuple.setBytes(i, bytes);
            default -> tuple.setText(i, value.toString());
        }
    }

    public static List<String> rows(Prepared prepared) {
        List<String> rows = new ArrayList<>();
        try (Prepared.Result result = prepared.query()) {
            while (result.next()) {
                List<String> columns = new ArrayList<>();
                for (int i = 0; i < prepared.columns().size(); i++) {
                    columns.add(text(result, i, prepared.columns().get(i).type()));
                }
                rows.add(String.join("|", columns));
            }
        }
        return rows;
    }

    static String text(Row row, int column, Type type) {
        if (row.isNull(column)) {
            return "NULL";
        }
        return switch (type.shape()) {
            case LONG -> TextFormat.ofLong(row.longAt(column), type);
            case DOUBLE -> TextFormat.ofDouble(row.doubleAt(column), type);
            case DECIMAL -> String.valueOf(row.decimalAt(column));
            case TEXT, FOLDED -> String.valueOf(row.textAt(column));
            case BYTES -> {
                byte[] bytes = row.bytesAt(column);
                yield TextFormat.ofBytes(bytes == null ? new byte[0] : bytes, type);
            }
        };
    }

    @Override
    public void close() {
        session.close();
        sql.close();
        List<String> damage = tables.check();
        tables.close();
        if (!damage.isEmpty()) {
            throw new AssertionError("damaged: " + damage);
        }
    }
}

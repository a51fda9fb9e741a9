package dev.oriel;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.Session;
import dev.oriel.sql.SqlException;
import dev.oriel.store.Isolation;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A session that knows a few statements by heart, and writes down what it is asked to do.
final class FakeSession implements Session {
    final List<String> calls = new ArrayList<>();
    final Map<String, FakePrepared> known = new HashMap<>();
    boolean autoCommit = true;
    private boolean readOnly;
    private Isolation isolation = Isolation.READ_COMMITTED;

    /// A query by its text, with columns of these types, named a, b, c ...
    FakePrepared query(String sql, Type... types) {
        FakePrepared prepared = new FakePrepared(this, true, types);
        known.put(sql, prepared);
        return prepared;
    }

    /// An update by its text, with parameters of these types.
    FakePrepared update(String sql, Type... parameters) {
        FakePrepared prepared = new FakePrepared(this, false);
        prepared.take(parameters);
        known.put(sql, prepared);
        return prepared;
    }

    JdbcConnection connect() {
        return new JdbcConnection(
                this,
                new ConnectionOrigin(
                        "jdbc:oriel:fake",
                        false,
                        List::of,
                        () -> {
                            throw new IllegalStateException("no engine");
                        },
                        () -> calls.add("released")));
    }

    @Override
    public Prepared prepare(String sql) {
        FakePrepared prepared = known.get(sql);
        if (prepared == null) {
            throw new SqlException(SqlException.Kind.SYNTAX, "cannot read " + sql, 0, null);
        }
        return prepared;
    }

    @Override
    public Prepared prepare(String sql, List<String> keys) {
        return prepare(sql);
    }

    @Override
    public Catalog catalog() {
        return new Catalog(0, Map.of());
    }

    @Override
    public boolean autoCommit() {
        return autoCommit;
    }

    @Override
    public void autoCommit(boolean on) {
        calls.add("autoCommit " + on);
        autoCommit = on;
    }

    @Override
    public void commit() {
        calls.add("commit");
    }

    @Override
    public void rollback() {
        calls.add("rollback");
    }

    @Override
    public void savepoint(String name) {
        calls.add("savepoint " + name);
    }

    @Override
    public void rollbackTo(String name) {
        calls.add("rollbackTo " + name);
    }

    @Override
    public void releaseSavepoint(String name) {
        calls.add("release " + name);
    }

    @Override
    public void isolation(Isolation level) {
        calls.add("isolation " + level);
        isolation = level;
    }

    @Override
    public Isolation isolation() {
        return isolation;
    }

    @Override
    public void readOnly(boolean on) {
        calls.add("readOnly " + on);
        readOnly = on;
    }

    @Override
    public void refuseWrites() {
        readOnly(true);
    }

    @Override
    public boolean readOnly() {
        return readOnly;
    }

    @Override
    public synchronized void cancel() {
        calls.add("cancel");
        notifyAll();
    }

    /// How many cancels come before the statement has begun, which forgets them.
    int cancelsForgotten;

    /// Waits for a cancel, as a long statement would meet one.
    synchronized void awaitCancel() {
        while (calls.stream().filter("cancel"::equals).count() <= cancelsForgotten) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        throw new SqlException(SqlException.Kind.CANCELLED, "cancelled", -1, null);
    }

    @Override
    public void close() {
        calls.add("close");
    }

    /// A statement whose rows and effects are set by the test.
    static final class FakePrepared implements Prepared {
        @Override
        public List<String> warnings() {
            return List.of();
        }

        final FakeSession session;
        final List<Tuple> rows = new ArrayList<>();
        final List<String> ran = new ArrayList<>();
        private final boolean query;
        private final List<OutputColumn> columns = new ArrayList<>();
        private List<Type> parameters = List.of();
        private Tuple values = new Tuple(0);
        @Nullable RuntimeException failure;

        /// What reading a value fails with.
        @Nullable RuntimeException unreadable;

        boolean runsUntilCancelled;
        boolean closed;

        FakePrepared(FakeSession session, boolean query, Type... types) {
            this.session = session;
            this.query = query;
            for (int i = 0; i < types.length; i++) {
                columns.add(new OutputColumn("" + (char) ('a' + i), types[i], i > 0, "t"));
            }
        }

        void take(Type... types) {
            parameters = List.of(types);
            values = new Tuple(types.length);
        }

        Tuple row() {
            Tuple row = new Tuple(columns.size());
            rows.add(row);
            return row;
        }

        @Override
        public boolean isQuery() {
            return query;
        }

        @Override
        public List<OutputColumn> columns() {
            return columns;
        }

        @Override
        public List<OutputColumn> keyColumns() {
            return List.of();
        }

        @Override
        public Result generatedKeys() {
            return new FakeResult(this);
        }

        @Override
        public List<Type> parameters() {
            return parameters;
        }

        @Override
        public Tuple values() {
            return values;
        }

        private void run() {
            ran.add(describe(values));
            if (runsUntilCancelled) {
                session.awaitCancel();
            }
            if (failure != null) {
                throw failure;
            }
        }

        private String describe(Row row) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < parameters.size(); i++) {
                Type type = parameters.get(i);
                text.append(i == 0 ? "" : ", ");
                text.append(row.isNull(i) ? "NULL" : Values.textOf(row, i, type));
            }
            return text.toString();
        }

        @Override
        public Result query() {
            run();
            return new FakeResult(this);
        }

        @Override
        public long update() {
            run();
            return 1;
        }

        @Override
        public long[] batch(List<? extends Row> batch, List<ValueTypes> types) {
            for (Row row : batch) {
                ran.add(describe(row));
            }
            if (failure != null) {
                throw failure;
            }
            long[] counts = new long[batch.size()];
            Arrays.fill(counts, 1);
            return counts;
        }

        @Override
        public String explain() {
            return "";
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /// The rows of a fake, which are gone as soon as it has moved on.
    static final class FakeResult implements Prepared.Result {
        private final FakePrepared prepared;
        private int at = -1;
        private Tuple row = new Tuple(0);

        FakeResult(FakePrepared prepared) {
            this.prepared = prepared;
        }

        @Override
        public boolean next() {
            if (prepared.failure != null) {
                throw prepared.failure;
            }
            at++;
            if (at < prepared.rows.size()) {
                row = prepared.rows.get(at);
                return true;
            }
            return false;
        }

        @Override
        public void close() {
            prepared.ran.add("closed");
            row = new Tuple(0);
        }

        private Row row() {
            if (prepared.unreadable != null) {
                throw prepared.unreadable;
            }
            return row;
        }

        @Override
        public boolean isNull(int column) {
            return row().isNull(column);
        }

        @Override
        public long longAt(int column) {
            return row().longAt(column);
        }

        @Override
        public double doubleAt(int column) {
            return row().doubleAt(column);
        }

        @Override
        public @Nullable BigDecimal decimalAt(int column) {
            return row().decimalAt(column);
        }

        @Override
        public @Nullable String textAt(int column) {
            return row().textAt(column);
        }

        @Override
        public byte @Nullable [] bytesAt(int column) {
            return row().bytesAt(column);
        }
    }
}

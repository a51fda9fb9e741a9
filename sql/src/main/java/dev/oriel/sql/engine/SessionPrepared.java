package dev.oriel.sql.engine;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A statement about named objects of its session. It needs no plan: it returns rows at hand, or has an effect.
final class SessionPrepared implements Prepared {
    private final LocalSession session;
    private final List<OutputColumn> columns;

    /// Source of the rows; null if it returns none.
    private final @Nullable Supplier<List<Tuple>> rows;

    private final Action action;

    /// Effect of the statement.
    interface Action {
        /// Takes effect.
        ///
        /// @return the number of rows that the statement reports
        long run();
    }

    SessionPrepared(LocalSession session, Action action) {
        this.session = session;
        this.columns = List.of();
        this.rows = null;
        this.action = action;
    }

    SessionPrepared(LocalSession session, List<OutputColumn> columns, Supplier<List<Tuple>> rows) {
        this.session = session;
        this.columns = columns;
        this.rows = rows;
        this.action = () -> 0;
    }

    @Override
    public boolean isQuery() {
        return rows != null;
    }

    @Override
    public List<OutputColumn> columns() {
        return columns;
    }

    @Override
    public List<Type> parameters() {
        return List.of();
    }

    @Override
    public Tuple values() {
        return new Tuple(0);
    }

    private void start() {
        session.start();
        session.checkNotFailed();
    }

    @Override
    public Result query() {
        start();
        if (rows == null) {
            throw wrongKind("This statement returns no rows: run it as an update");
        }
        return new Rows(rows.get());
    }

    @Override
    public long update() {
        if (rows != null) {
            throw wrongKind("This statement returns rows: run it as a query");
        }
        start();
        return action.run();
    }

    @Override
    public long[] batch(List<? extends Row> given, List<ValueTypes> types) {
        throw wrongKind("Only INSERT, UPDATE and DELETE can be run as a batch");
    }

    private static SqlException wrongKind(String message) {
        return new SqlException(Kind.WRONG_STATEMENT_KIND, message, -1, null);
    }

    @Override
    public List<String> warnings() {
        return List.of();
    }

    @Override
    public List<OutputColumn> keyColumns() {
        return List.of();
    }

    @Override
    public Result generatedKeys() {
        return new Rows(List.of());
    }

    @Override
    public String explain() {
        return "";
    }

    @Override
    public void close() {}

    /// Rows at hand.
    private static final class Rows implements Result {
        private final List<Tuple> rows;
        private final CurrentRow row = new CurrentRow();
        private int next;

        Rows(List<Tuple> rows) {
            this.rows = rows;
        }

        @Override
        public boolean next() {
            if (next >= rows.size()) {
                return false;
            }
            row.set(rows.get(next++));
            return true;
        }

        @Override
        public boolean isNull(int column) {
            return row.isNull(column);
        }

        @Override
        public long longAt(int column) {
            return row.longAt(column);
        }

        @Override
        public double doubleAt(int column) {
            return row.doubleAt(column);
        }

        @Override
        public @Nullable BigDecimal decimalAt(int column) {
            return row.decimalAt(column);
        }

        @Override
        public @Nullable String textAt(int column) {
            return row.textAt(column);
        }

        @Override
        public byte @Nullable [] bytesAt(int column) {
            return row.bytesAt(column);
        }

        @Override
        public void close() {
            next = rows.size();
        }
    }
}

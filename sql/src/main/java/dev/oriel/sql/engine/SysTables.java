package dev.oriel.sql.engine;

import dev.oriel.sql.ComputedTable;
import dev.oriel.sql.OpenTransaction;
import dev.oriel.sql.RowList;
import dev.oriel.sql.Session;
import dev.oriel.sql.value.Typing;
import dev.oriel.sql.watch.SessionActivity;
import dev.oriel.sql.watch.SessionActivity.Seen;
import dev.oriel.sql.watch.SessionHistory;
import dev.oriel.sql.watch.StatementEntry;
import dev.oriel.sql.watch.Watch;
import dev.oriel.store.LockWait;
import dev.oriel.store.StoreStats;
import dev.oriel.store.UsageException;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Table;
import dev.oriel.table.engine.Tables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Tables of the schema `sys` about current activity and the content of the store. Statements are in
/// [SysStatements], profiles in [SysProfiles].
final class SysTables {
    static final String SCHEMA = "sys";

    private final Sql sql;
    private final Watch watch;

    private SysTables(Sql sql) {
        this.sql = sql;
        this.watch = sql.watch();
    }

    /// Adds all tables of `sys`.
    static void addTo(Sql sql) {
        SysTables tables = new SysTables(sql);
        tables.addWork(sql);
        tables.addContent(sql);
        SysStatements.addTo(sql);
        SysProfiles.addTo(sql);
    }

    /// Adds tables and procedures about current activity.
    private void addWork(Sql sql) {
        sql.add(
                table(
                        "sessions",
                        List.of(
                                number("session"),
                                text("state"),
                                text("waiting_for"),
                                number("blocked_by"),
                                text("fingerprint"),
                                text("statement"),
                                real("running_ms"),
                                flag("in_transaction"),
                                number("writer"),
                                number("timeout_ms"),
                                flag("cancelled"),
                                text("thread")),
                        this::sessions));
        sql.add(
                table(
                        "sessions_history",
                        List.of(
                                moment("at"),
                                number("session"),
                                text("state"),
                                text("waiting_for"),
                                text("fingerprint"),
                                text("statement")),
                        this::history));
        sql.add(
                table(
                        "locks",
                        List.of(
                                number("session"),
                                text("statement"),
                                text("object"),
                                text("mode"),
                                real("waited_ms"),
                                number("blocked_by"),
                                text("blocking_statement"),
                                text("blocking_state")),
                        this::locks));
        sql.add(
                table(
                        "transactions",
                        List.of(
                                number("transaction"),
                                text("name"),
                                number("session"),
                                text("faces"),
                                text("isolation"),
                                flag("read_only"),
                                number("writer"),
                                number("locks"),
                                number("writes"),
                                real("age_ms"),
                                text("begun_at")),
                        this::transactions));
        sql.add(
                ComputedTable.procedure(
                        SCHEMA,
                        "cancel",
                        List.of(number("session")),
                        List.of(flag("cancelled")),
                        this::cancel));
    }

    /// Adds tables about the content of the store.
    private void addContent(Sql sql) {
        sql.add(
                table(
                        "tables",
                        List.of(
                                text("schema"),
                                text("name"),
                                number("columns"),
                                text("primary_key"),
                                number("indexes")),
                        SysTables::tables));
        sql.add(
                table(
                        "indexes",
                        List.of(
                                text("schema"),
                                text("table_name"),
                                text("name"),
                                text("kind"),
                                flag("is_unique"),
                                text("columns")),
                        SysTables::indexes));
        sql.add(
                table(
                        "catalog",
                        List.of(
                                text("schema"),
                                text("name"),
                                text("kind"),
                                text("columns"),
                                text("parameters")),
                        this::catalog));
        sql.add(
                table(
                        "functions",
                        SysFunctions.columns(),
                        (reading, rows) ->
                                SysFunctions.fill(reading.catalog(), sql.computed(), rows)));
        sql.add(
                table(
                        "store",
                        List.of(text("name"), number("value"), text("meaning")),
                        this::store));
    }

    static ComputedTable table(String name, List<Column> columns, ComputedTable.Source source) {
        return ComputedTable.of(SCHEMA, name, columns, source);
    }

    static Column text(String name) {
        return new Column(name, Typing.TEXT, true);
    }

    static Column number(String name) {
        return new Column(name, Typing.BIGINT, true);
    }

    static Column real(String name) {
        return new Column(name, Typing.DOUBLE, true);
    }

    static Column flag(String name) {
        return new Column(name, Typing.BOOLEAN, true);
    }

    static Column moment(String name) {
        return new Column(
                name,
                dev.oriel.table.definition.Type.of(
                        dev.oriel.table.definition.Type.Name.TIMESTAMP_TZ),
                true);
    }

    /// Appends a number, with NULL for 0.
    static void optional(RowList rows, long value) {
        if (value == 0) {
            rows.nothing();
        } else {
            rows.number(value);
        }
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(java.util.Locale.ROOT);
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private Map<Long, Seen> byWriter() {
        Map<Long, Seen> byWriter = new HashMap<>();
        for (SessionActivity session : watch.sessions()) {
            Seen seen = session.seen();
            if (seen.writer() != 0) {
                byWriter.put(seen.writer(), seen);
            }
        }
        return byWriter;
    }

    private void sessions(ComputedTable.Reading reading, RowList rows) {
        List<LockWait> waits = sql.tables().lockWaits();
        Map<Long, Seen> byWriter = byWriter();
        Map<Long, Long> blockers = new HashMap<>();
        for (LockWait wait : waits) {
            Seen by = wait.blockers().isEmpty() ? null : byWriter.get(wait.blockers().getFirst());
            if (by != null) {
                blockers.put(wait.writer(), by.number());
            }
        }
        long now = System.nanoTime();
        for (SessionActivity session : watch.sessions()) {
            Seen seen = session.seen();
            boolean active = seen.state() != SessionActivity.State.IDLE;
            StatementEntry statement = seen.statement();
            Thread thread = seen.thread();
            rows.begin().number(seen.number()).text(word(seen.state()));
            rows.text(orNull(seen.waiting()));
            optional(rows, seen.writer() == 0 ? 0 : blockers.getOrDefault(seen.writer(), 0L));
            rows.text(statement == null ? null : statement.name());
            rows.text(statement == null ? null : statement.text());
            if (active) {
                rows.real(Math.max(0, now - seen.sinceTick()) / 1e6);
            } else {
                rows.nothing();
            }
            rows.flag(seen.inTransaction());
            optional(rows, seen.writer());
            optional(rows, seen.timeoutMillis());
            rows.flag(seen.cancelled()).text(thread == null ? null : thread.getName());
        }
    }

    /// Transactions over several faces first, then transactions of sessions alone.
    private void transactions(ComputedTable.Reading reading, RowList rows) {
        long now = System.nanoTime();
        Set<Long> shown = new HashSet<>();
        for (OpenTransaction open : sql.transactions()) {
            rows.begin().number(open.number()).text(orNull(open.name())).nothing();
            rows.text(orNull(open.faces()));
            shown.add(figures(open.rows(), rows));
            rows.real((now - open.begunNanos()) / 1e6).text(open.begunAt());
        }
        for (SessionActivity session : watch.sessions()) {
            TableTransaction write =
                    session.session() instanceof LocalSession own ? own.seenWrite() : null;
            Seen seen = session.seen();
            if (write != null && seen.inTransaction() && !shown.contains(seen.writer())) {
                rows.begin().nothing().nothing().number(seen.number()).text("sql");
                long _ = figures(write, rows);
                rows.real((now - session.transactionSince()) / 1e6).nothing();
            }
        }
    }

    /// Appends the columns from isolation level to number of writes; returns the writer's number.
    private static long figures(TableTransaction transaction, RowList rows) {
        Tables.TransactionFigures figures = Tables.figures(transaction);
        boolean writes = transaction.writable();
        rows.text(writes ? word(transaction.isolation()).replace('_', ' ') : "snapshot")
                .flag(!writes);
        optional(rows, figures.writer());
        rows.number(figures.locks()).number(figures.writes());
        return figures.writer();
    }

    private void history(ComputedTable.Reading reading, RowList rows) {
        for (SessionHistory.Sample sample : watch.history().all()) {
            StatementEntry statement = sample.statement();
            rows.begin()
                    .moment(Instant.ofEpochMilli(sample.atMillis()))
                    .number(sample.session())
                    .text(word(sample.state()))
                    .text(orNull(sample.waiting()))
                    .text(statement == null ? null : statement.name())
                    .text(statement == null ? null : statement.text());
        }
    }

    private void locks(ComputedTable.Reading reading, RowList rows) {
        List<LockWait> waits =
                sql.tables().lockWaits(); // first: a waiting session has begun its statement
        Map<Long, Seen> byWriter = byWriter();
        for (LockWait wait : waits) {
            Seen waiting = byWriter.get(wait.writer());
            List<Long> blockers = wait.blockers().isEmpty() ? List.of(0L) : wait.blockers();
            for (long blocker : blockers) {
                Seen by = byWriter.get(blocker);
                rows.begin();
                optional(rows, waiting == null ? 0 : waiting.number());
                rows.text(statement(waiting));
                rows.text(
                        wait.tree().isEmpty()
                                ? "(the database)"
                                : sql.tables().ownerOf(wait.tree()));
                rows.text(word(wait.mode())).real(wait.waitedNanos() / 1e6);
                optional(rows, by == null ? 0 : by.number());
                rows.text(statement(by)).text(by == null ? null : word(by.state()));
            }
        }
    }

    private static @Nullable String statement(@Nullable Seen seen) {
        StatementEntry statement = seen == null ? null : seen.statement();
        return statement == null ? null : statement.text();
    }

    private static void tables(ComputedTable.Reading reading, RowList rows) {
        for (Table table : reading.catalog().tables()) {
            rows.begin()
                    .text(SearchPath.shown(table.schema()))
                    .text(table.name())
                    .number(table.columns().size())
                    .text(orNull(columns(table, table.primaryKey())))
                    .number(table.indexes().size());
        }
    }

    private static void indexes(ComputedTable.Reading reading, RowList rows) {
        for (Table table : reading.catalog().tables()) {
            for (Index index : table.indexes()) {
                rows.begin()
                        .text(SearchPath.shown(table.schema()))
                        .text(table.name())
                        .text(index.name())
                        .text(word(index.kind()))
                        .flag(index.unique())
                        .text(columns(table, index));
            }
        }
    }

    private static String columns(Table table, Index index) {
        Index.Terms terms = index.terms();
        if (terms == null) {
            List<String> names = new ArrayList<>();
            index.columns().forEach(i -> names.add(table.columns().get(i).name()));
            return index.ordered(names);
        }
        return index.ordered(terms.expressions())
                + (terms.condition() == null ? "" : " WHERE " + terms.condition());
    }

    private static String columns(Table table, List<Integer> positions) {
        return String.join(
                ", ", positions.stream().map(i -> table.columns().get(i).name()).toList());
    }

    private void catalog(ComputedTable.Reading reading, RowList rows) {
        for (ComputedTable table : sql.computedTables()) {
            boolean function = !table.parameters().isEmpty();
            rows.begin()
                    .text(table.schema())
                    .text(table.name())
                    .text(table.acts() ? "procedure" : function ? "function" : "table")
                    .text(described(table.columns()))
                    .text(function ? described(table.parameters()) : null);
        }
    }

    private static String described(List<Column> columns) {
        return String.join(
                ", ", columns.stream().map(column -> column.name() + " " + column.type()).toList());
    }

    private void store(ComputedTable.Reading reading, RowList rows) {
        Tables tables = sql.tables();
        StoreStats stats = tables.stats();
        figure(rows, "txid", stats.txid(), "commits since the database was made");
        figure(rows, "pages", stats.pages(), "pages in the data file, free ones included");
        figure(rows, "free_pages", stats.freePages(), "free pages among them");
        figure(
                rows,
                "scratch_pages",
                stats.scratchPages(),
                "changed pages that the data file lacks");
        figure(rows, "versions", stats.versions(), "versions of pages in memory");
        figure(rows, "scratch_bytes", stats.scratchBytes(), "native memory for these versions");
        figure(rows, "data_bytes", stats.dataBytes(), "length of the data file");
        figure(rows, "shadow_bytes", stats.shadowBytes(), "length of the shadow file");
        figure(rows, "shadow_pages", stats.shadowPages(), "pages in the shadow file");
        figure(rows, "log_bytes", stats.logBytes(), "length of all files of the log");
        figure(
                rows,
                "log_bytes_written",
                stats.logBytesWritten(),
                "bytes of log since the opening");
        figure(
                rows,
                "log_bytes_behind",
                stats.logBytesBehind(),
                "bytes of log that a recovery would read now");
        figure(rows, "syncs", stats.syncs(), "syncs of the log since the opening");
        figure(rows, "checkpoints", stats.checkpoints(), "checkpoints since the opening");
        figure(rows, "open_readers", stats.openReaders(), "open read-only transactions");
        figure(
                rows,
                "snapshot_age",
                stats.snapshotAge(),
                "commits since the oldest snapshot in use");
        figure(
                rows,
                "gathered_entries",
                stats.gatheredEntries(),
                "entries of commits that are not in pages yet");
        figure(rows, "gathered_bytes", stats.gatheredBytes(), "memory for these entries");
        figure(
                rows,
                "lock_waits_now",
                tables.lockWaits().size(),
                "transactions that wait for a lock");
    }

    private static void figure(RowList rows, String name, long value, String meaning) {
        rows.begin().text(name).number(value).text(meaning);
    }

    private void cancel(ComputedTable.Reading reading, RowList rows) {
        long wanted = reading.arguments().longAt(0);
        for (SessionActivity activity : watch.sessions()) {
            Session session = activity.session();
            if (activity.number() == wanted && session != null) {
                boolean active = activity.isActive();
                if (active) {
                    session.cancel();
                }
                rows.begin().flag(active);
                return;
            }
        }
        throw new UsageException(
                "There is no such session: sys.sessions lists all", "session=" + wanted);
    }
}

package dev.oriel.sql.engine;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.bind.ConstraintBinder;
import dev.oriel.sql.bind.SelectBinder;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.TransactionModes;
import dev.oriel.sql.text.SqlText;
import dev.oriel.store.Isolation;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Table;
import dev.oriel.table.engine.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Runs statements about the session itself: transaction control, ANALYZE and SET.
final class ControlRun {
    private ControlRun() {}

    /// Runs `statement`, written in `source`; errors of the session, which knows no text, get their position there.
    static void run(Statement.Control statement, LocalSession session, SqlText source) {
        session.cancellation().enter();
        try {
            control(statement, session, source);
        } catch (SqlException failure) {
            if (failure.kind() == SqlException.Kind.CANCELLED) {
                throw failure;
            }
            if (knowsPlace(statement)) {
                throw failure;
            }
            int position = statement.position();
            if (statement instanceof Statement.RollbackTo rollback) {
                position = rollback.name().position();
            } else if (statement instanceof Statement.Release release) {
                position = release.name().position();
            }
            throw source.error(failure.kind(), position, String.valueOf(failure.getMessage()));
        } finally {
            session.cancellation().leave();
        }
    }

    private static boolean knowsPlace(Statement.Control statement) {
        return statement instanceof Statement.Analyze
                || statement instanceof Statement.Setting
                || statement instanceof Statement.SetConstraints
                || statement instanceof Statement.LockTables
                || statement instanceof Statement.Maintain;
    }

    private static void control(Statement.Control statement, LocalSession session, SqlText source) {
        switch (statement) {
            case Statement.Begin begin -> session.begin(begin);
            case Statement.Commit commit -> {
                TransactionModes modes = session.modes();
                checkChain(commit.chain(), session, source, commit.position());
                session.commitOfStatement();
                chain(commit.chain(), modes, session, commit.position());
            }
            case Statement.Rollback rollback -> {
                TransactionModes modes = session.modes();
                checkChain(rollback.chain(), session, source, rollback.position());
                session.rollback();
                chain(rollback.chain(), modes, session, rollback.position());
            }
            case Statement.Savepoint savepoint -> session.savepoint(savepoint.name().name());
            case Statement.RollbackTo rollback -> session.rollbackTo(rollback.name().name());
            case Statement.Release release -> session.releaseSavepoint(release.name().name());
            case Statement.Analyze analyze -> analyze(analyze, session, source);
            case Statement.Setting setting -> set(setting, session, source);
            case Statement.SetTransaction set -> setTransaction(set, session);
            case Statement.SetConstraints set -> ConstraintTimes.set(set, session, source);
            case Statement.LockTables lock -> TableLocks.lock(lock, session, source);
            case Statement.Maintain maintain -> maintain(maintain, session.catalog(), source);
            case Statement.Discard discard -> discard(discard, session, source);
        }
    }

    /// Analyzes committed tables, independently of the session's transaction.
    private static void analyze(Statement.Analyze analyze, LocalSession session, SqlText source) {
        session.checkOpen();
        session.checkMayWrite(source, new Command.Control(analyze));
        Tables tables = session.tables();
        Catalog catalog = tables.catalog().seenBy(session.temporary().path());
        List<Table> chosen = new ArrayList<>();
        for (Identifier name : analyze.tables()) {
            chosen.add(SelectBinder.storing(source, catalog, name));
        }
        for (Table table : chosen.isEmpty() ? catalog.tables() : chosen) {
            tables.analyze(table, session.write());
        }
    }

    private static void checkChain(
            boolean chain, LocalSession session, SqlText source, int position) {
        if (chain && !session.inTransaction()) {
            throw source.error(
                    SqlException.Kind.NO_TRANSACTION,
                    position,
                    "AND CHAIN needs an open transaction: BEGIN one");
        }
    }

    private static void chain(
            boolean chain, TransactionModes modes, LocalSession session, int position) {
        if (chain && session.autoCommit()) {
            session.begin(new Statement.Begin(position, modes, false, false));
        } else if (chain) {
            session.modes(modes);
        }
    }

    private static void set(Statement.Setting setting, LocalSession session, SqlText source) {
        Identifier name = setting.name();
        if (name == null) {
            session.settings().clear();
            return;
        }
        switch (name.name().toLowerCase(Locale.ROOT)) {
            case "default_transaction_isolation", "default_transaction_read_only" ->
                    setDefault(setting, name, session, source);
            case "autocommit" -> setAutoCommit(setting, name, session, source);
            case "transaction_isolation", "transaction_read_only" ->
                    throw characteristics(name, source);
            default ->
                    session.settings()
                            .set(
                                    name.name(),
                                    setting.value(),
                                    setting.local(),
                                    source.at(name.position()));
        }
    }

    /// SET AUTOCOMMIT of H2 and MySQL, as `Connection.setAutoCommit`.
    private static void setAutoCommit(
            Statement.Setting setting, Identifier name, LocalSession session, SqlText source) {
        String value = setting.value() == null ? "" : setting.value().toLowerCase(Locale.ROOT);
        switch (value) {
            case "on", "true", "1", "" -> session.autoCommit(true);
            case "off", "false", "0" -> session.autoCommit(false);
            default ->
                    throw source.error(
                            SqlException.Kind.INVALID_PARAMETER,
                            name.position(),
                            "AUTOCOMMIT is ON or OFF, not " + value);
        }
    }

    /// Sets a mode of the session's transactions by the name that PostgreSQL gives to it.
    private static void setDefault(
            Statement.Setting setting, Identifier name, LocalSession session, SqlText source) {
        String value = setting.value() == null ? "" : setting.value().toLowerCase(Locale.ROOT);
        if (setting.local() || session.inTransaction()) {
            throw characteristics(name, source);
        }
        boolean ofLevel = name.name().toLowerCase(Locale.ROOT).endsWith("isolation");
        switch (ofLevel ? value : "is " + value) {
            case "serializable" -> session.isolation(Isolation.SERIALIZABLE);
            case "repeatable read" -> session.isolation(Isolation.SNAPSHOT);
            case "read committed", "read uncommitted" ->
                    session.isolation(Isolation.READ_COMMITTED);
            case "is on", "is true", "is t", "is yes", "is 1" -> session.readOnly(true);
            case "is ", "is off", "is false", "is f", "is no", "is 0" -> session.readOnly(false);
            default -> throw characteristics(name, source);
        }
    }

    private static SqlException characteristics(Identifier name, SqlText source) {
        return source.error(
                SqlException.Kind.NOT_SUPPORTED,
                name.position(),
                "Say SET TRANSACTION, or SET SESSION CHARACTERISTICS AS TRANSACTION");
    }

    private static void setTransaction(Statement.SetTransaction set, LocalSession session) {
        TransactionModes modes = set.modes();
        if (!set.session()) {
            if (session.inTransaction()) {
                session.modes(modes);
            }
            return;
        }
        if (modes.isolation() != null) {
            session.isolation(modes.isolation());
        }
        if (modes.readOnly() != null) {
            session.readOnly(modes.readOnly());
        }
    }

    private static void maintain(Statement.Maintain maintain, Catalog catalog, SqlText source) {
        for (Identifier table : maintain.tables()) {
            boolean either = maintain.indexes().contains(table) && isIndex(table, catalog, source);
            if (!either) {
                SelectBinder.storing(source, catalog, table);
            }
        }
        for (Identifier index : maintain.indexes()) {
            if (!maintain.tables().contains(index) && !isIndex(index, catalog, source)) {
                throw source.error(
                        SqlException.Kind.UNKNOWN_TABLE,
                        index.position(),
                        "There is no index \"" + index.name() + "\"");
            }
        }
    }

    private static boolean isIndex(Identifier name, Catalog catalog, SqlText source) {
        return new ConstraintBinder(source, catalog).owner(name) != null
                || catalog.tables().stream()
                        .anyMatch(table ->
                                !table.primaryKey().isEmpty()
                                        && ConstraintBinder.primaryKeyName(table)
                                                .equalsIgnoreCase(name.name()));
    }

    private static void discard(Statement.Discard discard, LocalSession session, SqlText source) {
        if (session.inTransaction()) {
            throw source.error(
                    SqlException.Kind.TRANSACTION_STATE,
                    discard.position(),
                    "DISCARD cannot run in a transaction; end it first");
        }
        session.closeResults(false);
        session.temporary().drop();
        if (discard.all()) {
            session.statements().clear();
            session.settings().clear();
        }
    }
}

package dev.oriel.sql.engine;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.SqlText;

/// Runs what is about the session itself: the control of its transactions, ANALYZE and SET.
final class ControlRun {
    private ControlRun() {}

    /// Runs `statement`, which was written in `source`; an error of the session, which knows no text, gets its
    /// place there.
    static void run(Statement.Control statement, LocalSession session, SqlText source) {
        session.cancellation().enter();
        try {
            control(statement, session, source);
        } catch (SqlException failure) {
            if (failure.kind() == SqlException.Kind.CANCELLED) {
                throw failure;
            }
            if (statement instanceof Statement.Analyze || statement instanceof Statement.Setting) {
                throw failure; // it knows its place
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

    private static void control(Statement.Control statement, LocalSession session, SqlText source) {
        switch (statement) {
            case Statement.Begin begin -> session.begin(begin);
            case Statement.Commit commit -> session.commitOfStatement();
            case Statement.Rollback rollback -> session.rollback();
            case Statement.Savepoint savepoint -> session.savepoint(savepoint.name().name());
            case Statement.RollbackTo rollback -> session.rollbackTo(rollback.name().name());
            case Statement.Release release -> session.releaseSavepoint(release.name().name());
            case Statement.Analyze analyze -> session.analyze(source, analyze);
            case Statement.Setting setting -> session.set(source, setting);
        }
    }
}

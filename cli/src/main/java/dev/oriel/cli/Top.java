package dev.oriel.cli;

import java.util.List;

/// The queries of `\top`.
final class Top {
    /// Active sessions, lock waits, and the statements that took most time.
    static final List<String> QUERIES =
            List.of(
                    """
                    SELECT session, state, waiting_for, blocked_by, running_ms, statement
                    FROM sys.sessions WHERE state <> 'idle' OR in_transaction
                    ORDER BY running_ms DESC LIMIT 20\
                    """,
                    """
                    SELECT session, object, mode, waited_ms, blocked_by, statement
                    FROM sys.locks ORDER BY waited_ms DESC LIMIT 10\
                    """,
                    """
                    SELECT calls, total_ms, mean_us, p99_us, rows, errors, statement
                    FROM sys.statements ORDER BY total_ms DESC NULLS LAST LIMIT 10\
                    """);

    private Top() {}
}

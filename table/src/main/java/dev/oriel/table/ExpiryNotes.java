package dev.oriel.table;

import java.util.Arrays;

/// Expiry of the rows that a transaction writes: the first moment of each table. Allocates nothing while only one
/// table has such rows.
final class ExpiryNotes {
    private long table;
    private long micros = ExpiryBound.NEVER;

    /// Such pairs for further tables.
    private long[] more = {};

    void add(long of, long expiry) {
        if (micros == ExpiryBound.NEVER) {
            table = of;
        }
        if (table == of) {
            micros = Math.min(micros, expiry);
            return;
        }
        for (int i = 0; i < more.length; i += 2) {
            if (more[i] == of) {
                more[i + 1] = Math.min(more[i + 1], expiry);
                return;
            }
        }
        more = Arrays.copyOf(more, more.length + 2);
        more[more.length - 2] = of;
        more[more.length - 1] = expiry;
    }

    /// Tells `tables`, after the rows were published.
    void tell(Tables tables) {
        if (micros != ExpiryBound.NEVER) {
            tables.noteExpiry(table, micros);
        }
        for (int i = 0; i < more.length; i += 2) {
            tables.noteExpiry(more[i], more[i + 1]);
        }
    }
}

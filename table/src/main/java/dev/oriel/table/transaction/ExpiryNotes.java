package dev.oriel.table.transaction;

import dev.oriel.store.Slice;
import dev.oriel.table.expiry.ExpiryBound;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Expiry of the rows written by a transaction: the keys of some early ones, and for the others the first moment of
/// each table. While only one table has such rows, a row that expires after its table's horizon costs a comparison.
final class ExpiryNotes {
    /// Greatest number of keys.
    private static final int KEYS_MAX = 256;

    private long table;
    private long micros = ExpiryBound.NEVER;

    /// Pairs of table and moment, as above, for further tables.
    private long[] more = {};

    /// Rows noted by their keys; null until there is one.
    private @Nullable List<Keyed> keyed;

    /// Bound of the table `boundOf`, as of its first row here; null if it has none.
    private @Nullable ExpiryBound bound;

    private long boundOf;

    @SuppressWarnings("ArrayRecordComponent") // never changed
    private record Keyed(long table, byte[] key, long micros) {}

    /// The row under `rowKey` expires at `expiry`, or never.
    void add(TableCore core, long of, Slice rowKey, long expiry) {
        if (expiry == ExpiryBound.NEVER) {
            return;
        }
        if (boundOf != of) {
            bound = core.expiry(of);
            boundOf = of;
        }
        ExpiryBound known = bound;
        List<Keyed> list = keyed;
        boolean early = known != null && expiry < known.horizon();
        if (!early || (list != null && list.size() == KEYS_MAX)) {
            add(of, expiry);
            return;
        }
        if (list == null) {
            list = new ArrayList<>();
            keyed = list;
        }
        list.add(new Keyed(of, rowKey.toBytes(), expiry));
    }

    private void add(long of, long expiry) {
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

    /// Tells `core`, after the rows were published.
    void tell(TableCore core) {
        for (Keyed one : keyed == null ? List.<Keyed>of() : keyed) {
            core.noteExpiry(one.table, one.key, one.micros);
        }
        if (micros != ExpiryBound.NEVER) {
            core.noteExpiry(table, micros);
        }
        for (int i = 0; i < more.length; i += 2) {
            core.noteExpiry(more[i], more[i + 1]);
        }
    }
}

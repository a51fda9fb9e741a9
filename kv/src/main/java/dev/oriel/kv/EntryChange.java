package dev.oriel.kv;

import dev.oriel.kv.JsonEdit.Outcome;
import dev.oriel.table.value.Row;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Computes the entry that results from a change. It reads the current row and knows nothing of transactions. Used
/// by one session, for one change after the other.
final class EntryChange {
    private static final byte[] NOTHING = {};
    private static final byte[] EMPTY_OBJECT = {'{', '}'};
    private static final byte[] EMPTY_ARRAY = {'[', ']'};

    /// Maximum digits of a counter.
    private static final int DIGITS_MAX = 20;

    /// Marks of an entry above the 32 bits of its flags: its value is stale; a client renews it.
    static final long STALE = 1L << 32;

    static final long CLAIMED = 1L << 33;

    private static final long FLAG_BITS = 0xFFFF_FFFFL;

    private boolean exists;
    private byte[] value = NOTHING;
    private long flags;
    private boolean unchanged;
    private boolean won;
    private long expiresAtMicros;
    private List<Outcome> outcomes = List.of();

    /// Applies `change` to the entry in `row`. Nothing may be written unless it returns a success.
    ///
    /// @param nowMicros the current time, in microseconds since 1970
    Status decide(Change change, boolean isThere, Row row, long nowMicros) {
        exists = isThere;
        unchanged = false;
        won = false;
        flags = isThere ? row.longAt(BucketTable.FLAGS) : 0;
        expiresAtMicros = isThere ? row.longAt(BucketTable.EXPIRES_AT) : Change.NEVER;
        value = NOTHING;
        outcomes = List.of();
        return switch (change) {
            case Change.Store store -> store(store, row);
            case Change.Counter counter -> count(counter, row);
            case Change.Touch touch -> {
                if (exists) {
                    value = bytes(row);
                    expire(touch.expiresAtMicros());
                }
                yield exists ? Status.SUCCESS : Status.NOT_FOUND;
            }
            case Change.Remove _ -> exists ? Status.SUCCESS : Status.NOT_FOUND;
            case Change.Edit edit -> edit(edit, row);
            case Change.Lock _ -> keep(row);
            case Change.Unlock _ -> {
                unchanged = true;
                yield keep(row);
            }
            case Change.Invalidate invalidate -> {
                expire(invalidate.expiresAtMicros());
                flags = (flags & FLAG_BITS) | STALE;
                yield keep(row);
            }
            case Change.Claim claim -> claim(claim, row, nowMicros);
            case Change.StoreStale stale -> storeStale(stale, row);
        };
    }

    /// Drops the value of the last change.
    void forgetValue() {
        value = NOTHING;
    }

    /// Drops everything of the last change.
    void forget() {
        exists = false;
        value = NOTHING;
        flags = 0;
        unchanged = false;
        won = false;
        expiresAtMicros = Change.NEVER;
        outcomes = List.of();
    }

    /// Keeps the entry's value, with the new expiry and marks.
    private Status keep(Row row) {
        if (!exists) {
            return Status.NOT_FOUND;
        }
        value = bytes(row);
        return Status.SUCCESS;
    }

    private Status claim(Change.Claim claim, Row row, long nowMicros) {
        if (!exists) {
            if (!claim.create()) {
                return Status.NOT_FOUND;
            }
            won = true;
            flags = CLAIMED;
            expire(claim.createdExpiresAtMicros());
            return Status.SUCCESS;
        }
        expire(claim.expiresAtMicros());
        boolean old =
                expiresAtMicros != Change.NEVER
                        && expiresAtMicros - nowMicros < claim.renewBelowMicros();
        won = (flags & CLAIMED) == 0 && (old || (flags & STALE) != 0);
        if (won) {
            flags |= CLAIMED;
        }
        unchanged = !won && claim.expiresAtMicros() == Change.KEEP;
        return keep(row);
    }

    private Status storeStale(Change.StoreStale stale, Row row) {
        if (!exists) {
            return Status.NOT_FOUND;
        }
        if (Long.compareUnsigned(stale.cas(), row.longAt(BucketTable.CAS)) >= 0) {
            return Status.EXISTS;
        }
        value = stale.value();
        flags = Integer.toUnsignedLong(stale.flags()) | STALE | (flags & CLAIMED);
        return Status.SUCCESS;
    }

    /// Whether nothing is to be written although the change succeeded.
    boolean isUnchanged() {
        return unchanged;
    }

    /// Whether a [Change.Claim] has won.
    boolean won() {
        return won;
    }

    /// Whether there is an entry to be replaced.
    boolean exists() {
        return exists;
    }

    byte[] value() {
        return value;
    }

    /// The 32 flag bits of clients, and the marks above them.
    long flags() {
        return flags;
    }

    long expiresAtMicros() {
        return expiresAtMicros;
    }

    List<Outcome> outcomes() {
        return outcomes;
    }

    private void expire(long wanted) {
        if (wanted != Change.KEEP) {
            expiresAtMicros = wanted;
        }
    }

    private static byte[] bytes(Row row) {
        byte @Nullable [] bytes = row.bytesAt(BucketTable.VALUE);
        return bytes == null ? NOTHING : bytes;
    }

    private Status store(Change.Store store, Row row) {
        switch (store.mode()) {
            case SET -> {}
            case ADD -> {
                if (exists) {
                    return Status.EXISTS;
                }
            }
            case REPLACE -> {
                if (!exists) {
                    return Status.NOT_FOUND;
                }
            }
            case APPEND, PREPEND -> {
                if (!exists) {
                    return Status.NOT_STORED;
                }
                boolean behind = store.mode() == Change.Mode.APPEND;
                byte[] old = bytes(row);
                byte[] first = behind ? old : store.value();
                byte[] second = behind ? store.value() : old;
                value = Arrays.copyOf(first, first.length + second.length);
                System.arraycopy(second, 0, value, first.length, second.length);
                flags &= FLAG_BITS;
                return Status.SUCCESS;
            }
        }
        value = store.value();
        flags = Integer.toUnsignedLong(store.flags());
        expire(store.expiresAtMicros());
        return Status.SUCCESS;
    }

    private Status count(Change.Counter counter, Row row) {
        long number;
        if (exists) {
            byte[] digits = withoutSpaces(bytes(row));
            if (!isNumber(digits)) {
                return Status.NOT_A_NUMBER;
            }
            long old = Long.parseUnsignedLong(new String(digits, StandardCharsets.US_ASCII));
            boolean below = Long.compareUnsigned(old, counter.delta()) < 0;
            number = counter.up() ? old + counter.delta() : below ? 0 : old - counter.delta();
        } else {
            if (!counter.create()) {
                return Status.NOT_FOUND;
            }
            number = counter.initial();
            expire(counter.expiresAtMicros());
        }
        value = Long.toUnsignedString(number).getBytes(StandardCharsets.US_ASCII);
        return Status.SUCCESS;
    }

    /// memcached leaves spaces after a counter that has become shorter, and accepts them when it reads.
    private static byte[] withoutSpaces(byte[] digits) {
        int length = digits.length;
        while (length > 0 && digits[length - 1] == ' ') {
            length--;
        }
        return length == digits.length ? digits : Arrays.copyOf(digits, length);
    }

    private static boolean isNumber(byte[] digits) {
        if (digits.length == 0 || digits.length > DIGITS_MAX) {
            return false;
        }
        for (byte digit : digits) {
            if (digit < '0' || digit > '9') {
                return false;
            }
        }
        return digits.length < DIGITS_MAX
                || new String(digits, StandardCharsets.US_ASCII).compareTo("18446744073709551615")
                        <= 0;
    }

    private Status edit(Change.Edit edit, Row row) {
        switch (edit.mode()) {
            case ADD -> {
                if (exists) {
                    return Status.EXISTS;
                }
            }
            case REPLACE -> {
                if (!exists) {
                    return Status.NOT_FOUND;
                }
            }
            case SET -> {}
            case APPEND, PREPEND -> {
                return Status.INVALID;
            }
        }
        JsonEditor editor = new JsonEditor(exists ? bytes(row) : emptyDocument(edit.edits()));
        Status form = editor.check();
        List<Outcome> done = new ArrayList<>(edit.edits().size());
        for (JsonEdit one : edit.edits()) {
            Outcome outcome =
                    form == Status.SUCCESS ? editor.apply(one) : new Outcome(form, NOTHING);
            done.add(outcome);
            if (!outcome.status().isSuccess()) {
                outcomes = done;
                return Status.MULTI_PATH_FAILURE;
            }
        }
        outcomes = done;
        if (!exists) {
            flags = Codec.JSON;
        }
        value = editor.text();
        expire(edit.expiresAtMicros());
        return Status.SUCCESS;
    }

    /// The initial text of a document created by its first edit.
    private static byte[] emptyDocument(List<JsonEdit> edits) {
        boolean array =
                !edits.isEmpty()
                        && (edits.getFirst().path().isEmpty()
                                || edits.getFirst().path().startsWith("["));
        return array ? EMPTY_ARRAY : EMPTY_OBJECT;
    }
}

package dev.oriel.kv;

import dev.oriel.store.ConflictException;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.UsageException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Keys and values of one Java type. A bucket is a table: SQL reads and writes the same entries in the same
/// transactions. The table `bucket_NAME` has the columns `key`, `value`, `flags`, `expires_at` and `cas`.
///
/// ```java
/// Bucket<String> sessions = database.bucket("sessions", Codec.text());
/// sessions.upsert("s-1", "Ada", WriteOptions.none().expiringIn(Duration.ofMinutes(20)));
/// String user = sessions.get("s-1"); // null if there is no such entry
/// ```
/// Each method is an atomic transaction of its own, or part of the transaction that the bucket was opened in.
/// Expired entries are absent for all methods. Safe for use by any number of threads.
///
/// Keys are text of 1 to 250 characters, or bytes ([#key]). Each change gives the entry a higher CAS number than
/// before. If a change demands a CAS that the entry does not have, it throws a [ConflictException] (CHANGED) and
/// does nothing.
///
/// @param <T> the type of the values
public final class Bucket<T> {
    /// Maximum seconds for which an entry may be locked.
    public static final int LOCK_SECONDS_MAX = 30;

    private final Sessions sessions;
    private final String name;
    private final Codec<T> codec;

    Bucket(Sessions sessions, String name, Codec<T> codec) {
        this.sessions = sessions;
        this.name = name;
        this.codec = codec;
    }

    public String name() {
        return name;
    }

    /// The key of 1 to 250 bytes: one character (ISO 8859-1) for each. Keys of different bytes are different, and
    /// have the order of the bytes as unsigned numbers.
    ///
    /// ```java
    /// bucket.upsert(Bucket.key(hash), value);
    /// ```
    public static String key(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /// The bytes from which [#key] made `key`.
    ///
    /// @throws UsageException if `key` was not made from bytes
    public static byte[] keyBytes(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.ISO_8859_1);
        if (!key(bytes).equals(key)) {
            throw new UsageException(
                    "The key is text, not encoded bytes; use it as text", "key=" + key);
        }
        return bytes;
    }

    /// These entries with values of another type.
    public <U> Bucket<U> as(Codec<U> other) {
        return new Bucket<>(sessions, name, other);
    }

    /// The value of `key`, or null. Allocates nothing but the value.
    public @Nullable T get(String key) {
        byte[] bytes = bytes(key);
        return bytes == null ? null : codec.decode(bytes);
    }

    /// The bytes of the value of `key`, or null. Allocates nothing else.
    public byte @Nullable [] bytes(String key) {
        BucketSession session = sessions.take();
        try {
            return session.read(key) == Status.SUCCESS ? session.value().toBytes() : null;
        } finally {
            sessions.giveBack(session);
        }
    }

    /// The entry of `key`, or null.
    public @Nullable Entry<T> entry(String key) {
        BucketSession session = sessions.take();
        try {
            return session.read(key) == Status.SUCCESS
                    ? entry(key, session, session.value().toBytes())
                    : null;
        } finally {
            sessions.giveBack(session);
        }
    }

    private Entry<T> entry(String key, BucketSession session, byte[] bytes) {
        return new Entry<>(
                key,
                codec.decode(bytes),
                session.flags(),
                session.cas(),
                Entry.instant(session.expiresAtMicros()));
    }

    public boolean exists(String key) {
        BucketSession session = sessions.take();
        try {
            return session.read(key) == Status.SUCCESS;
        } finally {
            sessions.giveBack(session);
        }
    }

    /// The values of the present `keys`, read from one snapshot.
    public Map<String, T> getAll(Collection<String> keys) {
        Map<String, T> found = new LinkedHashMap<>();
        sessions.readAll(keys, (key, bytes) -> found.put(key, codec.decode(bytes)));
        return found;
    }

    /// Sets the expiry of `key` to `expiresAt` (null: never) and returns the entry; null if there is none.
    public @Nullable Entry<T> getAndTouch(String key, @Nullable Instant expiresAt) {
        return getAndTouch(key, expiresAt, WriteOptions.none());
    }

    /// Sets the expiry of `key` to `expiresAt` (null: never) and returns the entry; null if there is none. Only
    /// the CAS and the durability of `options` apply.
    public @Nullable Entry<T> getAndTouch(
            String key, @Nullable Instant expiresAt, WriteOptions options) {
        Change touch = new Change.Touch(WriteOptions.micros(expiresAt, Change.NEVER));
        return apply(key, options, touch, session -> entry(key, session, session.newValue()));
    }

    /// Locks the entry of `key` for `time` and returns it; null if there is none. Until then no other caller can
    /// change it through a bucket. The lock ends early with a change that demands the returned CAS, or with
    /// [#unlock]. Readers are not blocked and see -1 as the CAS.
    ///
    /// Locks are kept in memory and end with the database. SQL ignores them.
    ///
    /// @param time up to [#LOCK_SECONDS_MAX] seconds
    /// @throws ConflictException (LOCKED) if another caller has locked it
    public @Nullable Entry<T> getAndLock(String key, Duration time) {
        if (time.isNegative() || time.isZero() || time.toSeconds() > LOCK_SECONDS_MAX) {
            throw new UsageException(
                    "An entry is locked for at most 30 seconds; choose a shorter time",
                    "time=" + time);
        }
        Change lock = new Change.Lock(Math.max(1, time.toNanos() / 1_000));
        return apply(
                key, WriteOptions.none(), lock, session -> entry(key, session, session.newValue()));
    }

    /// Ends the lock that gave the CAS `cas`; false if there is no entry, or it is not locked.
    ///
    /// @throws ConflictException (LOCKED) if another caller has locked it
    public boolean unlock(String key, long cas) {
        WriteOptions ifCas = WriteOptions.none().ifCas(cas);
        return apply(key, ifCas, new Change.Unlock(), session -> true) != null;
    }

    /// Writes the value of `key`, present or absent, and returns the entry's CAS.
    public long upsert(String key, T value) {
        return upsert(key, value, WriteOptions.none());
    }

    /// Writes the value of `key`, present or absent, and returns the entry's CAS. If the options demand a CAS and
    /// there is no entry, returns 0.
    public long upsert(String key, T value, WriteOptions options) {
        return store(Change.Mode.SET, key, value, options);
    }

    /// Writes the value of `key` if it is absent; returns the entry's CAS, or 0 if it is present.
    public long insert(String key, T value) {
        return insert(key, value, WriteOptions.none());
    }

    /// Writes the value of `key` if it is absent; returns the entry's CAS, or 0 if it is present.
    public long insert(String key, T value, WriteOptions options) {
        return store(Change.Mode.ADD, key, value, options);
    }

    /// Writes the value of `key` if it is present; returns the entry's CAS, or 0 if it is absent.
    public long replace(String key, T value) {
        return replace(key, value, WriteOptions.none());
    }

    /// Writes the value of `key` if it is present; returns the entry's CAS, or 0 if it is absent.
    public long replace(String key, T value, WriteOptions options) {
        return store(Change.Mode.REPLACE, key, value, options);
    }

    /// Appends bytes to the value; returns the entry's CAS, or 0 if there is no entry.
    public long append(String key, byte[] more) {
        return append(key, more, WriteOptions.none());
    }

    /// Appends bytes to the value; returns the entry's CAS, or 0 if there is no entry. Only the CAS and the
    /// durability of `options` apply.
    public long append(String key, byte[] more, WriteOptions options) {
        return storeBytes(Change.Mode.APPEND, key, more, options);
    }

    /// Prepends bytes to the value; returns the entry's CAS, or 0 if there is no entry.
    public long prepend(String key, byte[] more) {
        return prepend(key, more, WriteOptions.none());
    }

    /// Prepends bytes to the value; returns the entry's CAS, or 0 if there is no entry. Only the CAS and the
    /// durability of `options` apply.
    public long prepend(String key, byte[] more, WriteOptions options) {
        return storeBytes(Change.Mode.PREPEND, key, more, options);
    }

    private long store(Change.Mode mode, String key, T value, WriteOptions options) {
        if (value == null) {
            throw new UsageException("A bucket has no null values; remove the entry", "");
        }
        return storeBytes(mode, key, codec.encode(value), options);
    }

    private long storeBytes(Change.Mode mode, String key, byte[] bytes, WriteOptions options) {
        int flags = options.flags() == 0 ? codec.flags() : options.flags();
        Change store = new Change.Store(mode, bytes, flags, options.expiresAtMicros());
        Long cas = apply(key, options, store, BucketSession::cas);
        return cas == null ? 0 : cas;
    }

    /// Removes the entry; false if there is none.
    public boolean remove(String key) {
        return remove(key, WriteOptions.none());
    }

    /// Removes the entry, if it has the CAS that the options demand; false if there is none.
    public boolean remove(String key, WriteOptions options) {
        return apply(key, options, new Change.Remove(), session -> true) != null;
    }

    /// Sets the entry's expiry to `expiresAt` (null: never); false if there is no entry.
    public boolean touch(String key, @Nullable Instant expiresAt) {
        return touch(key, expiresAt, WriteOptions.none());
    }

    /// Sets the entry's expiry to `expiresAt` (null: never); false if there is no entry. Only the CAS and the
    /// durability of `options` apply.
    public boolean touch(String key, @Nullable Instant expiresAt, WriteOptions options) {
        Change touch = new Change.Touch(WriteOptions.micros(expiresAt, Change.NEVER));
        return apply(key, options, touch, session -> true) != null;
    }

    /// Adds `delta` to the counter, which is kept as decimal digits, and returns it. A negative delta subtracts,
    /// but not below 0. A missing counter begins with `initial`. Counters are unsigned.
    ///
    /// @throws UsageException if the value is not a number
    public long increment(String key, long delta, long initial) {
        Long number = increment(key, delta, initial, WriteOptions.none());
        return number == null ? initial : number;
    }

    /// [#increment(String, long, long)] with options: a new counter gets their expiry (but not their flags), an
    /// existing one keeps its own. Null if the options demand a CAS and there is no entry.
    ///
    /// @throws UsageException if the value is not a number
    public @Nullable Long increment(String key, long delta, long initial, WriteOptions options) {
        Change counter =
                new Change.Counter(
                        delta >= 0, Math.abs(delta), true, initial, options.expiresAtMicros());
        return apply(key, options, counter, Bucket::number);
    }

    private static Long number(BucketSession session) {
        return Long.parseUnsignedLong(new String(session.newValue(), StandardCharsets.US_ASCII));
    }

    /// Looks up paths in the JSON value of `key`, with one outcome each; null if there is no entry.
    ///
    /// @throws UsageException if one of `looks` would change the value
    public @Nullable List<JsonEdit.Outcome> lookupIn(String key, List<JsonEdit> looks) {
        byte[] bytes = bytes(key);
        return bytes == null ? null : lookupIn(bytes, looks);
    }

    /// Looks up paths in a JSON text, with one outcome each.
    ///
    /// @throws UsageException if one of `looks` would change the text
    public static List<JsonEdit.Outcome> lookupIn(byte[] json, List<JsonEdit> looks) {
        JsonEditor editor = new JsonEditor(json);
        Status form = editor.check();
        List<JsonEdit.Outcome> outcomes = new ArrayList<>(looks.size());
        for (JsonEdit look : looks) {
            if (look.operation().changes()) {
                throw new UsageException(
                        "This operation changes the value; use mutateIn",
                        "operation=" + look.operation());
            }
            outcomes.add(
                    form == Status.SUCCESS
                            ? editor.apply(look)
                            : new JsonEdit.Outcome(form, new byte[0]));
        }
        return outcomes;
    }

    /// Applies all `edits` to the JSON value of `key`, or none if one fails: the last outcome gives the reason.
    /// Null if there is no entry.
    public @Nullable List<JsonEdit.Outcome> mutateIn(
            String key, List<JsonEdit> edits, WriteOptions options) {
        long expiry = options.expiresAt() == null ? Change.KEEP : options.expiresAtMicros();
        Change edit = new Change.Edit(Change.Mode.REPLACE, edits, expiry);
        return apply(key, options, edit, BucketSession::outcomes);
    }

    /// Applies several changes in one transaction and returns the status of each. A refused change leaves the
    /// others in effect.
    public List<Status> batch(List<KeyedChange> batch, WriteOptions options) {
        return sessions.batch(batch, options.durability());
    }

    /// Passes all entries whose keys begin with `prefix` to `visitor`, in key order, from the snapshot at its
    /// begin.
    public void scan(String prefix, Consumer<Entry<T>> visitor) {
        sessions.scan(
                prefix,
                (key, bytes, flags, cas, expires) ->
                        visitor.accept(
                                new Entry<>(
                                        key,
                                        codec.decode(bytes),
                                        flags,
                                        cas,
                                        Entry.instant(expires))));
    }

    /// Length of the value of `key` in bytes; -1 if there is no entry.
    public int length(String key) {
        BucketSession session = sessions.take();
        try {
            if (session.read(key) != Status.SUCCESS) {
                return -1;
            }
            Slice value = session.value();
            return value.length();
        } finally {
            sessions.giveBack(session);
        }
    }

    /// Null if the entry to change is absent or not locked, or if the entry to insert is present.
    private <R> @Nullable R apply(
            String key, WriteOptions options, Change change, Function<BucketSession, R> result) {
        BucketSession session = sessions.take();
        try {
            Status status = session.change(key, options.cas(), change, options.durability());
            return switch (status) {
                case SUCCESS, MULTI_PATH_FAILURE -> result.apply(session);
                case NOT_FOUND, NOT_STORED, NOT_LOCKED -> null;
                case LOCKED ->
                        throw new ConflictException(
                                ConflictException.Reason.LOCKED,
                                "The entry is locked by another client; wait until it is unlocked",
                                "key=" + key);
                case EXISTS -> {
                    if (options.cas() != 0) {
                        throw new ConflictException(
                                ConflictException.Reason.CHANGED,
                                "The entry has another CAS value than the given one; read it again",
                                "key=" + key + " wanted=" + options.cas());
                    }
                    yield null;
                }
                case TOO_BIG ->
                        throw new LimitException(
                                "The value is too long; store it in parts", "key=" + key);
                case NOT_A_NUMBER ->
                        throw new UsageException(
                                "The value is not a number in decimal digits", "key=" + key);
                default ->
                        throw new UsageException(
                                "A key is text of 1 to 250 characters",
                                "status=" + status + " length=" + key.length());
            };
        } finally {
            sessions.giveBack(session);
        }
    }
}

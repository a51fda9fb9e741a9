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

/// Keys and values of one Java type. A bucket is a table: SQL reads and writes the same entries, in the
/// same transactions, and [BucketTable] says which columns there are.
///
/// ```java
/// Bucket<String> sessions = database.bucket("sessions", Codec.text());
/// sessions.upsert("s-1", "Ada", WriteOptions.none().expiringIn(Duration.ofMinutes(20)));
/// String who = sessions.get("s-1"); // null where there is none
/// ```
/// Each method is a transaction of its own: it is done whole, at once, or not at all, and what has
/// expired is absent for all of them. Safe for use by any number of threads.
///
/// Keys are text of 1 to 250 characters, or bytes ([#key]). A change gives the entry a new number (`cas`), higher than the
/// one before; a change that demands another number than the entry has throws a [ConflictException]
/// (CHANGED), and nothing is done.
///
/// @param <T> the type of the values
public final class Bucket<T> {
    /// For so long an entry may be locked at most.
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

    /// The bytes that [#key] made `key` of.
    ///
    /// @throws UsageException if it was made of none
    public static byte[] keyBytes(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.ISO_8859_1);
        if (!key(bytes).equals(key)) {
            throw new UsageException(
                    "The key is text that no bytes were made; use it as text", "key=" + key);
        }
        return bytes;
    }

    /// The same entries with values of another type.
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

    /// The values of those of `keys` that are there, all of one moment.
    public Map<String, T> getAll(Collection<String> keys) {
        Map<String, T> found = new LinkedHashMap<>();
        sessions.readAll(keys, (key, bytes) -> found.put(key, codec.decode(bytes)));
        return found;
    }

    /// The entry of `key`, which expires at `expiresAt` from now on (null: never); null where there is
    /// none.
    public @Nullable Entry<T> getAndTouch(String key, @Nullable Instant expiresAt) {
        return getAndTouch(key, expiresAt, WriteOptions.none());
    }

    /// The entry of `key`, which expires at `expiresAt` from now on (null: never); null where there is
    /// none. Of the options the number and the durability count.
    public @Nullable Entry<T> getAndTouch(
            String key, @Nullable Instant expiresAt, WriteOptions options) {
        Change touch = new Change.Touch(WriteOptions.micros(expiresAt, Change.NEVER));
        return apply(key, options, touch, session -> entry(key, session, session.newValue()));
    }

    /// The entry of `key`, which nobody else can change through a bucket for `time`, or until it was
    /// changed by who shows the number that is returned here, or [#unlock] was called with it. Null where
    /// there is none. Others read it all the time, and see -1 in the place of its number.
    ///
    /// Locks are in memory and end with the database. SQL does not know of them.
    ///
    /// @param time up to [#LOCK_SECONDS_MAX] seconds
    /// @throws ConflictException (LOCKED) if somebody else has locked it
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

    /// Ends the lock that gave the number `cas`; false where there is no entry, or it is not locked.
    ///
    /// @throws ConflictException (LOCKED) if somebody else has locked it
    public boolean unlock(String key, long cas) {
        WriteOptions ifCas = WriteOptions.none().ifCas(cas);
        return apply(key, ifCas, new Change.Unlock(), session -> true) != null;
    }

    /// Writes the value of `key`, there or not, and returns the entry's number.
    public long upsert(String key, T value) {
        return upsert(key, value, WriteOptions.none());
    }

    /// Writes the value of `key`, there or not, and returns the entry's number; with a number demanded, 0
    /// where there is no entry.
    public long upsert(String key, T value, WriteOptions options) {
        return store(Change.Mode.SET, key, value, options);
    }

    /// Writes the value of `key`, which must not be there; returns the entry's number, 0 where it is.
    public long insert(String key, T value) {
        return insert(key, value, WriteOptions.none());
    }

    /// Writes the value of `key`, which must not be there; returns the entry's number, 0 where it is.
    public long insert(String key, T value, WriteOptions options) {
        return store(Change.Mode.ADD, key, value, options);
    }

    /// Writes the value of `key`, which must be there; returns the entry's number, 0 where it is not.
    public long replace(String key, T value) {
        return replace(key, value, WriteOptions.none());
    }

    /// Writes the value of `key`, which must be there; returns the entry's number, 0 where it is not.
    public long replace(String key, T value, WriteOptions options) {
        return store(Change.Mode.REPLACE, key, value, options);
    }

    /// Adds bytes behind those that are there; returns the entry's number, 0 where there is none.
    public long append(String key, byte[] more) {
        return append(key, more, WriteOptions.none());
    }

    /// Adds bytes behind those that are there; returns the entry's number, 0 where there is none. Of the
    /// options the number and the durability count.
    public long append(String key, byte[] more, WriteOptions options) {
        return storeBytes(Change.Mode.APPEND, key, more, options);
    }

    /// Adds bytes before those that are there; returns the entry's number, 0 where there is none.
    public long prepend(String key, byte[] more) {
        return prepend(key, more, WriteOptions.none());
    }

    /// Adds bytes before those that are there; returns the entry's number, 0 where there is none. Of the
    /// options the number and the durability count.
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

    /// Removes the entry; false where there is none.
    public boolean remove(String key) {
        return remove(key, WriteOptions.none());
    }

    /// Removes the entry, if it has the number that the options demand; false where there is none.
    public boolean remove(String key, WriteOptions options) {
        return apply(key, options, new Change.Remove(), session -> true) != null;
    }

    /// Has the entry expire at `expiresAt` (null: never); false where there is none.
    public boolean touch(String key, @Nullable Instant expiresAt) {
        return touch(key, expiresAt, WriteOptions.none());
    }

    /// Has the entry expire at `expiresAt` (null: never); false where there is none. Of the options the
    /// number and the durability count.
    public boolean touch(String key, @Nullable Instant expiresAt, WriteOptions options) {
        Change touch = new Change.Touch(WriteOptions.micros(expiresAt, Change.NEVER));
        return apply(key, options, touch, session -> true) != null;
    }

    /// Adds `delta` to the number that is kept as decimal digits, and returns it; negative ones take away,
    /// but not below 0. A counter that is not there begins with `initial`. Numbers are unsigned.
    ///
    /// @throws UsageException if the value is not a number
    public long increment(String key, long delta, long initial) {
        Long number = increment(key, delta, initial, WriteOptions.none());
        return number == null ? initial : number;
    }

    /// The same with options: a counter that is not there gets the expiry (and not the flags) that they say,
    /// one that is there keeps its own. Null where a number is demanded and there is no entry.
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

    /// Looks at places in the JSON value of `key`, one outcome each; null where there is no entry.
    ///
    /// @throws UsageException if one of them would change something
    public @Nullable List<JsonEdit.Outcome> lookupIn(String key, List<JsonEdit> looks) {
        byte[] bytes = bytes(key);
        return bytes == null ? null : lookupIn(bytes, looks);
    }

    /// Looks at places in a JSON text, one outcome each.
    ///
    /// @throws UsageException if one of them would change something
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

    /// Changes places in the JSON value of `key`, all of them or, where one fails, none: the last outcome
    /// says why. Null where there is no entry.
    public @Nullable List<JsonEdit.Outcome> mutateIn(
            String key, List<JsonEdit> edits, WriteOptions options) {
        long expiry = options.expiresAt() == null ? Change.KEEP : options.expiresAtMicros();
        Change edit = new Change.Edit(Change.Mode.REPLACE, edits, expiry);
        return apply(key, options, edit, BucketSession::outcomes);
    }

    /// Does several changes in one transaction and returns how each ended. One that is refused leaves the
    /// others as they are.
    public List<Status> batch(List<KeyedChange> batch, WriteOptions options) {
        return sessions.batch(batch, options.durability());
    }

    /// Hands all entries whose keys begin with `prefix` to `visitor`, in the order of their keys, as they
    /// were when it began.
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

    /// How many bytes the value of `key` has; -1 where there is none.
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

    /// Null where there is no entry to change, or one that must not be there.
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
                                "The entry has another number than was demanded; read it again",
                                "key=" + key + " wanted=" + options.cas());
                    }
                    yield null;
                }
                case TOO_BIG ->
                        throw new LimitException(
                                "The value is too long; store it in parts", "key=" + key);
                case NOT_A_NUMBER ->
                        throw new UsageException(
                                "The value is no number of decimal digits", "key=" + key);
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

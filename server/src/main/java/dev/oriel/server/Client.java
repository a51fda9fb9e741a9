package dev.oriel.server;

import dev.oriel.kv.BucketSession;
import dev.oriel.kv.Change;
import dev.oriel.kv.Status;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.Durability;
import dev.oriel.store.UsageException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// State of a connected client in any protocol: its account, its bucket, and the execution and counting of its
/// requests. Used by one thread at a time.
final class Client {
    static final int KEY_BYTES_MAX = 250;
    private static final byte[] NOTHING = {};

    /// Number of bytes kept of a request of a client that has not logged in.
    static final int STRANGER_BYTES_MAX = 4 << 10;

    /// Greatest length of a value written by a shared thread: other clients wait for it.
    private static final int SMALL_BYTES_MAX = 64 << 10;

    /// Characters of a key, or bytes of it, that are kept of a slow operation.
    private static final int SLOW_KEY_CHARS_MAX = 100;

    /// Characters of a name that the log shows.
    private static final int USER_CHARS_MAX = 100;

    /// Greatest time that a request tries again for which the budget had room and the process had no memory.
    private static final long MEMORY_NANOS_MAX = TimeUnit.MINUTES.toNanos(1);

    /// Bytes a second of a long value at which a client is too slow, if others wait for its memory.
    private static final int SLOW_BYTES_A_SECOND = 256 << 10;

    /// Pause between two checks for memory.
    private static final long MEMORY_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /// Factor of a value's length to the native memory of its change. The old row is read twice; the new one is in
    /// its own buffer, the write set, versions of pages, and the log's buffer, which grows.
    private static final int CHANGE_COPIES = 8;

    /// Greatest time of expiry in seconds that is counted from now; a longer one is counted from 1970.
    private static final long RELATIVE_SECONDS_MAX = 60L * 60 * 24 * 30;

    private final OrielServer server;
    private final Listener listener;
    private final Peer peer;
    private @Nullable BucketSession session;
    private @Nullable String bucket;

    /// Account of the client, and below all accounts at the time that it was checked.
    private @Nullable Account account;

    private @Nullable Map<String, Account> seen;

    /// Role on its bucket; null for none.
    private @Nullable Role role;

    /// Name of the last login that was logged; empty before the first.
    private String toldLogin = "";

    private boolean mayWait;

    /// Memory for the request that is being received, and the time since which it is held; other threads look
    /// whether the client is too slow.
    private volatile long reserved;

    private volatile long reservedNanos;

    /// Native memory reserved for the change of the current request.
    private long changing;

    /// Whether the client has gone: its request need not wait any longer.
    private volatile boolean left;

    /// Ends the request of a client that has gone.
    private volatile @Nullable Runnable unwanted;

    /// Start of the current request in [System#nanoTime()]; 0 for none.
    private long begunNanos;

    /// The last command; other threads read it while this client works.
    private volatile Latencies.@Nullable Command last;

    /// Bytes of memory that are reserved for an answer, and the time since which they are.
    private volatile long answering;

    private volatile long answeringNanos;

    /// Length of the long value that could not be answered on a thread that may not wait; else 0.
    private int awaited;

    Client(OrielServer server, Listener listener, Peer peer) {
        this.peer = peer;
        this.server = server;
        this.listener = listener;
        this.bucket = listener == Listener.COUCHBASE ? null : server.options().bucket();
    }

    /// Sets whether the thread that works for the client from now on may wait. On one that may not, a change that
    /// has to wait throws [MustWait].
    void mayWait(boolean may) {
        mayWait = may;
    }

    OrielServer server() {
        return server;
    }

    Listener listener() {
        return listener;
    }

    /// Whether the client may send its password in the clear.
    boolean isUnheard() {
        return peer.unheard();
    }

    Metrics metrics() {
        return server.metrics();
    }

    /// A whole request is there. If it was reported already, and the request had to wait, its time goes on.
    void begin() {
        if (begunNanos == 0) {
            begunNanos = System.nanoTime();
        }
    }

    /// Resets the start: the request was incomplete after all.
    void forgetBegin() {
        begunNanos = 0;
    }

    /// Ends a request. `key` is the entry it named; null if it named none.
    void end(Latencies.Command command, @Nullable String key) {
        long took = counted(command);
        if (server.slow().isSlow(took)) {
            String about = key == null ? "" : key;
            noteSlow(
                    command,
                    took,
                    about.substring(0, Math.min(about.length(), SLOW_KEY_CHARS_MAX)));
        }
    }

    /// Ends a request with a key as bytes.
    void end(Latencies.Command command, byte[] bytes, int from, int length) {
        long took = counted(command);
        if (server.slow().isSlow(took)) {
            int shown = Math.min(length, SLOW_KEY_CHARS_MAX);
            noteSlow(command, took, new String(bytes, from, shown, StandardCharsets.UTF_8));
        }
    }

    /// Drops a long value of the last change: the heap has room for those of a few requests, not of all sessions.
    void forgetValue() {
        BucketSession open = session;
        if (open != null) {
            open.forgetValue(Memory.COUNTED_BYTES_MIN);
        }
    }

    private long counted(Latencies.Command command) {
        long took = System.nanoTime() - begunNanos;
        begunNanos = 0;
        endChange();
        forgetValue();
        command.add(took);
        last = command;
        return took;
    }

    private void noteSlow(Latencies.Command command, long took, String key) {
        server.slow()
                .add(
                        new SlowOperations.Slow(
                                server.buckets().nowMicros(),
                                took / 1_000,
                                command.protocol,
                                command.name,
                                key,
                                peer.address(),
                                userName()));
    }

    /// The last command; empty before the first.
    String lastCommand() {
        Latencies.Command command = last;
        return command == null ? "" : command.name;
    }

    /// Name of the logged-in user; empty if there is none.
    String userName() {
        Account known = account;
        return known == null ? "" : known.name();
    }

    /// Whether it came through the admin socket, which the owner of its file alone can open.
    private boolean isOwner() {
        return listener == Listener.ADMIN;
    }

    /// Whether the client must log in before any other request.
    boolean isStranger() {
        look();
        return account == null && !server.accounts().isOpen() && !isOwner();
    }

    /// Whether the client has the role `needed` on its bucket. Grants and revocations since the last request
    /// count.
    boolean may(Role needed) {
        look();
        Role mine = role;
        return mine != null && mine.covers(needed);
    }

    /// Whether the client has the role `needed` on the bucket `bucketName`.
    boolean may(Role needed, String bucketName) {
        look();
        Role mine = roleOn(bucketName);
        return mine != null && mine.covers(needed);
    }

    /// Whether the client may send a command: SUCCESS, AUTH_ERROR if it has to log in first, or ACCESS_DENIED. A
    /// client without a bucket gets its error later.
    Status admit(Access needed) {
        if (needed != Access.ANYBODY && isStranger()) {
            return Status.AUTH_ERROR;
        }
        if (needed == Access.SERVER) {
            return isAdmin() ? Status.SUCCESS : Status.ACCESS_DENIED;
        }
        Role wanted = needed.role();
        return wanted == null || bucket == null || may(wanted)
                ? Status.SUCCESS
                : Status.ACCESS_DENIED;
    }

    /// Whether the client may change users and the server as a whole.
    boolean isAdmin() {
        look();
        Account known = account;
        return known == null ? server.accounts().isOpen() || isOwner() : known.user().isAdmin();
    }

    /// Whether it may do everything because any client that can reach the port may, a web page in a browser
    /// included.
    boolean isOpenToAll() {
        return !isOwner() && server.accounts().isOpen();
    }

    /// Takes `known` as the client's account from now on.
    ///
    /// @param mechanism the way in which the password was proved, for the log
    void login(Account known, String mechanism) {
        account = known;
        seen = null;
        metrics().logins.increment();
        server.loginDelays().succeeded(known.name());
        if (!known.name().equals(toldLogin)) { // HTTP logs in with each request
            toldLogin = known.name();
            server.log().said("A login succeeded", loginFacts(known.name(), mechanism));
        }
    }

    private String[] loginFacts(String name, String mechanism) {
        String user =
                name.substring(0, Math.min(name.length(), USER_CHARS_MAX))
                        .replaceAll("[^\\p{Graph} ]", "?");
        return new String[] {
            "address",
            peer.address(),
            "listener",
            listener.name(),
            "user",
            user,
            "mechanism",
            mechanism
        };
    }

    void logout() {
        account = null;
        seen = null;
    }

    /// Checks the client's account and role again if accounts have changed.
    @SuppressWarnings("ReferenceEquality") // every picture is another object
    private void look() {
        Map<String, Account> now = server.accounts().picture();
        if (now == seen) {
            return;
        }
        Account known = account;
        if (known != null) {
            Account later = now.get(known.name());
            account = later != null && later.isSameLogin(known) ? later : null;
        }
        seen = now;
        role = bucket == null ? null : roleOn(bucket);
    }

    private @Nullable Role roleOn(String bucketName) {
        Account known = account;
        if (known != null) {
            return known.user().role(bucketName);
        }
        return server.accounts().isOpen() || isOwner() ? Role.ADMIN : null;
    }

    /// The bucket it works on; null until one is chosen.
    @Nullable String bucket() {
        return bucket;
    }

    /// Chooses a bucket that exists and on which the client has rights.
    Status select(String name) {
        if (!may(Role.READ, name)) {
            return Status.ACCESS_DENIED; // also if there is none: not every client may know that
        }
        // Couchbase's SDKs wait for a bucket that is not found, as for one that is being made.
        Status missing = listener == Listener.COUCHBASE ? Status.ACCESS_DENIED : Status.NOT_FOUND;
        try {
            if (!server.buckets().exists(name) && !name.equals(server.options().bucket())) {
                return missing;
            }
        } catch (UsageException noName) {
            return missing;
        }
        closeSession();
        bucket = name;
        seen = null;
        return Status.SUCCESS;
    }

    /// The session on its bucket.
    BucketSession session() {
        BucketSession open = session;
        if (open == null) {
            String chosen = bucket;
            if (chosen == null) {
                throw new UsageException("No bucket has been chosen", "");
            }
            open = server.sessions().take(chosen);
            if (open == null) {
                open = server.buckets().session(chosen);
            }
            session = open;
        }
        return open;
    }

    /// Whether the session is available without waiting.
    boolean isReady() {
        String chosen = bucket;
        if (session == null && chosen != null) {
            session = server.sessions().take(chosen);
        }
        return session != null;
    }

    /// Its requests so far are executed: others may have its session.
    void rest() {
        BucketSession open = session;
        String chosen = bucket;
        if (open != null && chosen != null) {
            session = null;
            server.sessions().give(chosen, open);
        }
    }

    /// Works on another session for a while: on another collection.
    void use(@Nullable BucketSession other) {
        session = other;
    }

    @Nullable BucketSession sessionOrNull() {
        return session;
    }

    /// Finds an entry, and counts the read.
    Status read(byte[] key, int from, int length) {
        if (!may(Role.READ)) {
            metrics().gets.increment();
            return Status.ACCESS_DENIED;
        }
        Status status = readWithAnswer(key, from, length);
        metrics().gets.increment();
        if (status == Status.OUT_OF_MEMORY) {
            metrics().refused.increment();
            return status;
        }
        if (status == Status.SUCCESS) {
            metrics().getHits.increment();
            if (server.reads().isKept()) {
                server.reads().note(bucket, new String(key, from, length, StandardCharsets.UTF_8));
            }
        }
        return status;
    }

    /// Reads an entry, with memory for an answer of its length in place of the last answer's, which was sent. While it
    /// waits for that it holds no copy of the value.
    private Status readWithAnswer(byte[] key, int from, int length) {
        if (mayWait && awaited > 0) {
            boolean _ = awaitAnswer(awaited);
            awaited = 0;
        }
        while (true) {
            Status status = readWhereThereIsRoom(key, from, length);
            int bytes = status == Status.SUCCESS ? session().value().length() : 0;
            if (bytes < Memory.COUNTED_BYTES_MIN || answering >= bytes) {
                return status;
            }
            session().release();
            if (!mayWait) {
                awaited = bytes;
                throw MustWait.INSTANCE;
            }
            if (!awaitAnswer(bytes)) {
                return Status.OUT_OF_MEMORY;
            }
        }
    }

    private boolean awaitAnswer(int bytes) {
        sent();
        if (!take(server.answers(), bytes)) {
            return false;
        }
        answeringNanos = System.nanoTime();
        answering = bytes;
        return true;
    }

    /// Takes `bytes` of `budget`, and waits for them; false if the client has gone meanwhile.
    private boolean take(Memory budget, long bytes) {
        server.longValues().add(bytes);
        if (budget.take(bytes)) {
            return true;
        }
        metrics().memoryWaits.increment();
        return budget.await(bytes, () -> left);
    }

    /// Reads an entry; if there is no native memory for its value at present, waits for some.
    private Status readWhereThereIsRoom(byte[] key, int from, int length) {
        long begun = System.nanoTime();
        while (true) {
            try {
                return session().read(key, from, length);
            } catch (OutOfMemoryError e) { // other requests have it, and will release it soon
                session().release();
                if (!mayWait) {
                    throw MustWait.INSTANCE;
                }
                if (left || System.nanoTime() - begun > MEMORY_NANOS_MAX) {
                    server.log().failed("A request was refused: there is no memory for it", e);
                    return Status.OUT_OF_MEMORY;
                }
                LockSupport.parkNanos(MEMORY_LOOK_NANOS);
            }
        }
    }

    /// The answers so far were sent.
    void sent() {
        long given = answering;
        answering = 0;
        server.answers().giveBack(given);
    }

    /// The client has gone; called by any thread.
    void leave() {
        left = true;
        Runnable ending = unwanted;
        if (ending != null) {
            ending.run();
        }
    }

    /// Sets what to do if the client goes while its request is executed; null for nothing.
    void ifLeft(@Nullable Runnable ending) {
        unwanted = ending;
        if (ending != null && left) { // meanwhile
            ending.run();
        }
    }

    /// Whether it holds memory that others wait for, and is too slow.
    ///
    /// @param heardNanos time at which it last sent something
    /// @param tookNanos time at which it last took a part of an answer
    /// @param working whether a request of it is being executed or answered
    boolean isStalled(long heardNanos, long tookNanos, boolean working) {
        if (working) {
            return server.answers().waiting() > 0
                    && isTooSlow(answering, answeringNanos, tookNanos);
        }
        return server.memory().waiting() > 0 && isTooSlow(reserved, reservedNanos, heardNanos);
    }

    private boolean isTooSlow(long bytes, long sinceNanos, long movedNanos) {
        long now = System.nanoTime();
        long stall = server.stallNanos();
        long whole = stall + TimeUnit.SECONDS.toNanos(bytes / SLOW_BYTES_A_SECOND);
        return bytes > 0
                && (Math.min(now - movedNanos, now - sinceNanos) > stall
                        || now - sinceNanos > whole);
    }

    /// Finds an entry, and counts the read.
    Status read(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        return read(bytes, 0, bytes.length);
    }

    /// The status of a change that demands the number 0: no entry has it, so it fails in any case.
    Status existing(String key) {
        if (!may(Role.WRITE)) {
            return Status.ACCESS_DENIED;
        }
        boolean exists = read(key) == Status.SUCCESS;
        session().release();
        return exists ? Status.EXISTS : Status.NOT_FOUND;
    }

    /// Executes a change, counts it, and turns any error into a status.
    Status change(String key, long cas, Change change, @Nullable Durability wanted) {
        if (!may(Role.WRITE)) {
            return Status.ACCESS_DENIED;
        }
        if (valueOf(change).length > server.options().valueBytesMax()) {
            return Status.TOO_BIG;
        }
        Durability durability = server.options().synced() ? Durability.SYNC : wanted;
        Status status;
        try {
            status =
                    mayWait
                            ? changeWaiting(key, cas, change, durability)
                            : changeNow(key, cas, change, durability);
            if (status == Status.SUCCESS) {
                server.refusals().succeeded();
            }
        } catch (DatabaseException e) {
            status = server.refusals().status("A change was refused", e);
        } catch (OutOfMemoryError e) { // its transaction was rolled back
            if (!mayWait) {
                throw MustWait.INSTANCE;
            }
            metrics().refused.increment();
            server.log().failed("A request was refused: there is no memory for it", e);
            status = Status.OUT_OF_MEMORY;
        }
        metrics().count(change, cas, status);
        if (server.reads().isKept() && isStore(change)) {
            server.reads().forget(bucket, key);
        }
        return status;
    }

    private Status changeWaiting(
            String key, long cas, Change change, @Nullable Durability durability) {
        long begun = System.nanoTime();
        if (!prepareChange(valueOf(change).length)) {
            metrics().refused.increment();
            return Status.OUT_OF_MEMORY;
        }
        try {
            while (true) {
                try {
                    return session().change(key, cas, change, durability);
                } catch (OutOfMemoryError e) { // it was rolled back
                    if (System.nanoTime() - begun > MEMORY_NANOS_MAX || !takeAllForChange()) {
                        throw e;
                    }
                    LockSupport.parkNanos(MEMORY_LOOK_NANOS);
                }
            }
        } finally {
            endChange();
        }
    }

    /// Reserves native memory for a change with a value of `bytes`, unless that is done, and waits for it; false if
    /// the client has gone meanwhile. Called before the value is copied, lest copies wait.
    boolean prepareChange(int bytes) {
        if (bytes < Memory.COUNTED_BYTES_MIN || changing > 0) {
            return true;
        }
        if (!mayWait) {
            throw MustWait.INSTANCE;
        }
        long wanted = (long) CHANGE_COPIES * bytes;
        if (!take(server.changes(), wanted)) {
            return false;
        }
        changing = wanted;
        return true;
    }

    /// Waits until no other long value is being changed.
    private boolean takeAllForChange() {
        endChange();
        long all = server.changes().bytesMax();
        if (!take(server.changes(), all)) {
            return false;
        }
        changing = all;
        return true;
    }

    private void endChange() {
        long given = changing;
        changing = 0;
        server.changes().giveBack(given);
    }

    private Status changeNow(String key, long cas, Change change, @Nullable Durability durability) {
        boolean large = valueOf(change).length > SMALL_BYTES_MAX;
        Status status = large ? null : session().changeNow(key, cas, change, durability);
        if (status == null) {
            throw MustWait.INSTANCE;
        }
        return status;
    }

    private static byte[] valueOf(Change change) {
        return switch (change) {
            case Change.Store store -> store.value();
            case Change.StoreStale store -> store.value();
            default -> NOTHING;
        };
    }

    private static boolean isStore(Change change) {
        return change instanceof Change.Store || change instanceof Change.StoreStale;
    }

    /// The expiry of an entry for the client's `seconds`: never (0), at once (negative), relative to now (up to 30
    /// days), or relative to 1970.
    long expiry(long seconds) {
        if (seconds == 0) {
            return Change.NEVER;
        }
        if (seconds < 0) {
            return 1; // long ago
        }
        return moment(seconds, server.buckets().nowMicros());
    }

    /// The moment in microseconds since 1970 that `seconds` above 0 stand for: counted from now up to 30 days, and
    /// from 1970 beyond them.
    static long moment(long seconds, long nowMicros) {
        return (seconds > RELATIVE_SECONDS_MAX ? 0 : nowMicros) + seconds * 1_000_000;
    }

    /// The key as text; null if it is not a valid key.
    static @Nullable String key(byte[] bytes, int from, int length) {
        if (length == 0 || length > KEY_BYTES_MAX) {
            return null;
        }
        return BucketSession.text(bytes, from, length);
    }

    /// Removes all entries of its bucket at the moment that `seconds` stand for; at once, if they are not above 0
    /// or the moment has passed. Replaces the pending removal of the bucket.
    Status flush(long seconds) {
        metrics().flushes.increment();
        String chosen = bucket;
        if (chosen == null) {
            return Status.NO_BUCKET;
        }
        if (!may(Role.ADMIN)) {
            return Status.ACCESS_DENIED;
        }
        long now = server.buckets().nowMicros();
        long delayMicros = seconds <= 0 ? 0 : moment(seconds, now) - now;
        server.flushes().cancel(chosen);
        if (delayMicros <= 0) {
            return server.empty(chosen);
        }
        server.flushes().add(chosen, delayMicros);
        return Status.SUCCESS;
    }

    /// Logs in with name and password; false if they match no user.
    boolean login(String name, String password, String mechanism) {
        Account known = mayTry(name) ? server.accounts().login(name, password) : null;
        if (known == null) {
            refused(name, mechanism);
            return false;
        }
        login(known, mechanism);
        return true;
    }

    /// The admin for the log: the user, or the admin socket.
    String byWhom() {
        return listener == Listener.ADMIN ? "the admin socket" : userName();
    }

    /// Waits as long as failed logins from this address or for `name` demand; false if the login is refused
    /// unseen.
    boolean mayTry(String name) {
        return peer.address().isEmpty() || server.loginDelays().await(peer.address(), name);
    }

    /// Counts and logs a login that has failed; nothing of its password is in the log.
    ///
    /// @param name as it was sent, or empty if it could not be read
    void refused(String name, String mechanism) {
        server.loginDelays().failed(peer.address(), name);
        refusedUnseen(name, mechanism);
    }

    /// Counts and logs a login whose password was not looked at.
    void refusedUnseen(String name, String mechanism) {
        metrics().loginFailures.increment();
        server.log().warned("A login was refused", loginFacts(name, mechanism));
    }

    /// Reserves memory for a request of `bytes`, in place of the earlier reservation, and waits for it; false if the
    /// client has gone meanwhile.
    boolean reserve(long bytes) {
        long wanted = bytes < Memory.COUNTED_BYTES_MIN ? 0 : bytes;
        if (wanted == reserved) {
            return true;
        }
        long given = reserved;
        reserved = 0;
        server.memory().giveBack(given);
        if (wanted == 0) {
            return true;
        }
        if (mayWait ? !take(server.memory(), wanted) : !server.memory().take(wanted)) {
            if (!mayWait) {
                throw MustWait.INSTANCE;
            }
            metrics().refused.increment();
            return false;
        }
        reservedNanos = System.nanoTime();
        reserved = wanted;
        return true;
    }

    private void closeSession() {
        BucketSession open = session;
        session = null;
        if (open != null) {
            open.close();
        }
    }

    void close() {
        boolean _ = reserve(0);
        endChange();
        sent();
        closeSession();
    }
}

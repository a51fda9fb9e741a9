package dev.oriel.server;

import dev.oriel.kv.BucketSession;
import dev.oriel.kv.Change;
import dev.oriel.kv.JsonEdit;
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

    /// Number of bytes kept of a request of a client that has not logged in.
    static final int STRANGER_BYTES_MAX = 4 << 10;

    /// Greatest length of a value written by a shared thread: other clients wait for it.
    private static final int SMALL_BYTES_MAX = 64 << 10;

    /// Characters of a key, or bytes of it, that are kept of a slow operation.
    private static final int SLOW_KEY_CHARS_MAX = 100;

    /// Characters of a name that the log shows.
    private static final int USER_CHARS_MAX = 100;

    /// Time limit of further tries of a request that had room in the budget, but found no memory in the process.
    private static final long MEMORY_NANOS_MAX = TimeUnit.MINUTES.toNanos(1);

    /// Pause between two checks for memory.
    private static final long MEMORY_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /// Greatest time of expiry in seconds that is counted from now; a longer one is counted from 1970.
    private static final long RELATIVE_SECONDS_MAX = 60L * 60 * 24 * 30;

    private final OrielServer server;
    private final Listener listener;
    private final Peer peer;
    private final HeldSession held;
    private final ValueMemory values;
    private @Nullable String bucket;

    /// The bucket of the collection that the current request works on; null for its bucket itself.
    private @Nullable String collection;

    /// Account of the client, and below all accounts at the time that it was checked.
    private @Nullable Account account;

    private @Nullable Map<String, Account> seen;

    /// Role on its bucket; null for none.
    private @Nullable Role role;

    /// Name of the last login that was logged; empty before the first.
    private String toldLogin = "";

    private boolean mayWait;

    /// Whether the client has gone: its request need not wait any longer.
    private volatile boolean left;

    /// Ends the request of a client that has gone.
    private volatile @Nullable Runnable unwanted;

    /// Start of the current request in [System#nanoTime()]; 0 for none.
    private long begunNanos;

    /// The last command; other threads read it while this client works.
    private volatile Latencies.@Nullable Command last;

    /// Length of a long value whose answer needs a thread that may wait; else 0.
    private int awaited;

    Client(OrielServer server, Listener listener, Peer peer) {
        this.peer = peer;
        this.server = server;
        this.held = new HeldSession(server);
        this.values = new ValueMemory(server, () -> left);
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

    /// The client's memory for long values.
    ValueMemory values() {
        return values;
    }

    Metrics metrics() {
        return server.metrics();
    }

    /// A whole request has arrived. If it was reported already, and the request had to wait, its time goes on.
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

    /// Drops a long value of the last change: the heap has room for values of a few requests, not of all sessions.
    void forgetValue() {
        BucketSession open = held.orNull();
        if (open != null) {
            open.forgetValue(Memory.COUNTED_BYTES_MIN);
        }
    }

    private long counted(Latencies.Command command) {
        long took = System.nanoTime() - begunNanos;
        begunNanos = 0;
        values.endChange();
        forgetValue();
        held.endRequest();
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

    /// The name of a user as the log shows it: a client may send anything.
    static String shownUser(String name) {
        return name.substring(0, Math.min(name.length(), USER_CHARS_MAX))
                .replaceAll("[^\\p{Graph} ]", "?");
    }

    private String[] loginFacts(String name, String mechanism) {
        String user = shownUser(name);
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

    /// Selects an existing bucket on which the client has rights.
    Status select(String name) {
        if (!may(Role.READ, name)) {
            return Status.ACCESS_DENIED; // also if there is none: not every client may know that
        }
        // Couchbase's SDKs wait for an unknown bucket as if it were being created.
        Status missing = listener == Listener.COUCHBASE ? Status.ACCESS_DENIED : Status.NOT_FOUND;
        try {
            if (!server.buckets().exists(name) && !name.equals(server.options().bucket())) {
                return missing;
            }
        } catch (UsageException noName) {
            return missing;
        }
        held.close();
        bucket = name;
        seen = null;
        return Status.SUCCESS;
    }

    /// The session on its bucket, or on the collection of the current request.
    BucketSession session() {
        String chosen = place();
        if (chosen == null) {
            throw new UsageException("No bucket has been chosen", "");
        }
        return held.on(chosen, mayWait);
    }

    private @Nullable String place() {
        return collection == null ? bucket : collection;
    }

    /// Whether the session is available without waiting.
    boolean isReady() {
        String chosen = place();
        return chosen != null && held.isReady(chosen, mayWait);
    }

    /// All requests received so far are executed: other clients may get the session.
    void rest() {
        held.rest(mayWait);
    }

    /// Works on a collection, whose bucket is `name`, for a request; null ends that.
    void use(@Nullable String name) {
        collection = name;
    }

    /// Finds an entry, and counts the read.
    Status read(byte[] key, int from, int length) {
        return read(key, from, length, true);
    }

    /// @param sends whether the answer has the value
    private Status read(byte[] key, int from, int length, boolean sends) {
        if (!may(Role.READ)) {
            metrics().gets.increment();
            return Status.ACCESS_DENIED;
        }
        Status status =
                sends ? readWithAnswer(key, from, length) : readWhereThereIsRoom(key, from, length);
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
            boolean _ = values.awaitAnswer(awaited);
            awaited = 0;
        }
        while (true) {
            Status status = readWhereThereIsRoom(key, from, length);
            int bytes = status == Status.SUCCESS ? session().value().length() : 0;
            if (values.hasAnswer(bytes)) {
                values.answered(bytes);
                return status;
            }
            session().release();
            if (!mayWait) {
                awaited = bytes;
                throw MustWait.INSTANCE;
            }
            if (!values.awaitAnswer(bytes)) {
                return Status.OUT_OF_MEMORY;
            }
        }
    }

    /// Reads an entry; if there is no native memory for its value at present, waits for some.
    private Status readWhereThereIsRoom(byte[] key, int from, int length) {
        long begun = System.nanoTime();
        while (true) {
            try {
                return session().read(key, from, length);
            } catch (DatabaseException e) {
                held.failed(e);
                throw e;
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

    /// The client has gone; called by any thread.
    void leave() {
        left = true;
        Runnable ending = unwanted;
        if (ending != null) {
            ending.run();
        }
    }

    /// Whether it has gone.
    boolean hasLeft() {
        return left;
    }

    /// Sets what to do if the client goes while its request is executed; null for nothing.
    void ifLeft(@Nullable Runnable ending) {
        unwanted = ending;
        if (ending != null && left) { // meanwhile
            ending.run();
        }
    }

    /// Finds an entry, and counts the read.
    Status read(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        return read(bytes, 0, bytes.length);
    }

    /// Finds an entry whose value is not sent, and counts the read. It needs no memory for an answer.
    Status look(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        return read(bytes, 0, bytes.length, false);
    }

    /// The status of a change that demands the number 0: no entry has it, so it fails in any case.
    Status existing(String key) {
        if (!may(Role.WRITE)) {
            return Status.ACCESS_DENIED;
        }
        boolean exists = look(key) == Status.SUCCESS;
        session().release();
        return exists ? Status.EXISTS : Status.NOT_FOUND;
    }

    /// Executes a change, counts it, and turns any error into a status.
    Status change(String key, long cas, Change change, @Nullable Durability wanted) {
        return change(key, cas, change, wanted, false);
    }

    /// Executes a change whose answer has the value of the entry.
    Status changeAndSend(String key, long cas, Change change) {
        Status status = change(key, cas, change, null, true);
        values.answered(status == Status.SUCCESS ? session().newValue().length : 0);
        return status;
    }

    private Status change(
            String key, long cas, Change change, @Nullable Durability wanted, boolean sends) {
        if (!may(Role.WRITE)) {
            return Status.ACCESS_DENIED;
        }
        if (isStore(change) && newBytes(change) > server.options().valueBytesMax()) {
            return Status.TOO_BIG;
        }
        Durability durability = server.options().synced() ? Durability.SYNC : wanted;
        Status status;
        try {
            status =
                    mayWait
                            ? changeWaiting(key, cas, change, durability, sends)
                            : changeNow(key, cas, change, durability);
            if (status == Status.SUCCESS) {
                server.refusals().succeeded();
            }
        } catch (DatabaseException e) {
            held.failed(e);
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
            String key, long cas, Change change, @Nullable Durability durability, boolean sends) {
        long begun = System.nanoTime();
        int old = change.readsValue() && (sends || !values.hasChange()) ? oldBytes(key) : 0;
        boolean answers = sends && !values.hasAnswer(old);
        if ((answers && !values.awaitAnswer(old))
                || !reserveChange((long) newBytes(change) + old)) {
            metrics().refused.increment();
            return Status.OUT_OF_MEMORY;
        }
        try {
            while (true) {
                try {
                    return session().change(key, cas, change, durability);
                } catch (OutOfMemoryError e) { // it was rolled back
                    if (System.nanoTime() - begun > MEMORY_NANOS_MAX
                            || !values.awaitWholeChange()) {
                        throw e;
                    }
                    LockSupport.parkNanos(MEMORY_LOOK_NANOS);
                }
            }
        } finally {
            values.endChange();
        }
    }

    /// Reserves native memory for a change with a value of `bytes`, and waits for it; false if the client has gone
    /// meanwhile. Called before the value is copied, lest copies wait.
    ///
    /// @param readsOld whether the change copies the entry's value too, whose length it learns first
    boolean prepareChange(String key, boolean readsOld, int bytes) {
        return reserveChange((long) bytes + (readsOld && mayWait ? oldBytes(key) : 0));
    }

    private boolean reserveChange(long bytes) {
        if (bytes < Memory.COUNTED_BYTES_MIN || values.hasChange()) {
            return true;
        }
        if (!mayWait) {
            throw MustWait.INSTANCE;
        }
        return values.awaitChange(bytes);
    }

    /// Length of the value of an entry at present; 0 if there is none.
    private int oldBytes(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        Status status = readWhereThereIsRoom(bytes, 0, bytes.length);
        int old = status == Status.SUCCESS ? session().value().length() : 0;
        session().release();
        return old;
    }

    private Status changeNow(String key, long cas, Change change, @Nullable Durability durability) {
        boolean large = newBytes(change) > SMALL_BYTES_MAX;
        int readBytesMax = Memory.COUNTED_BYTES_MIN - 1;
        Status status =
                large ? null : session().changeNow(key, cas, change, durability, readBytesMax);
        if (status == null) {
            throw MustWait.INSTANCE;
        }
        return status;
    }

    /// Number of bytes that a change brings.
    private static int newBytes(Change change) {
        return switch (change) {
            case Change.Store store -> store.value().length;
            case Change.StoreStale store -> store.value().length;
            case Change.Edit edit -> {
                int bytes = 0;
                for (JsonEdit one : edit.edits()) {
                    bytes += one.value().length;
                }
                yield bytes;
            }
            default -> 0;
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
        return values.reserve(bytes, mayWait);
    }

    void close() {
        values.close();
        held.close();
    }
}

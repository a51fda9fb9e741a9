package dev.oriel.server;

import dev.oriel.kv.Bucket;
import dev.oriel.kv.BucketSession;
import dev.oriel.kv.Change;
import dev.oriel.kv.Status;
import java.nio.charset.StandardCharsets;

/// memcached's binary protocol, with the additions for Couchbase's clients in [CouchbaseCommands] and
/// [SubDocuments].
final class BinaryProtocol implements Protocol {
    private static final int MAGIC_RESPONSE = 0x81;
    private static final int BODY_BYTES_MORE = 64 << 10;
    private static final byte[] NOTHING = {};
    private static final Input NO_INPUT = new Input(0);
    private static final Output NO_OUTPUT = new Output();

    private final Client client;
    private final CouchbaseCommands couchbase;
    private final SubDocuments subDocuments;
    private final Login login;
    private final Request request = new Request(NO_INPUT);

    /// Bytes of a refused request that are still to be skipped.
    private long swallow;

    private Output out;

    BinaryProtocol(Client client) {
        this.client = client;
        this.couchbase = new CouchbaseCommands(client, this);
        this.subDocuments = new SubDocuments(client, this);
        this.login = new Login(client, this);
        this.out = NO_OUTPUT;
    }

    /// Whether a request of this protocol may begin with this byte.
    static boolean begins(int first) {
        return first == Request.MAGIC || first == Request.MAGIC_FRAMED;
    }

    @Override
    public Outcome run(Input in, Output to, boolean mayBlock) {
        out = to;
        client.mayWait(mayBlock);
        while (true) {
            if (out.length() > OUTPUT_BYTES_MAX) {
                return Outcome.FULL;
            }
            if (swallow > 0) {
                int now = (int) Math.min(swallow, in.length());
                in.skip(now);
                swallow -= now;
            }
            if (swallow > 0 || in.length() < Request.HEADER_BYTES) {
                return Outcome.WAITING;
            }
            if (!begins(in.byteAt(0)) || !request.readHeader(in)) {
                return Outcome.CLOSE; // the start of the next request is unknown
            }
            if (request.bodyLength > bodyBytesMax()) {
                answer(client.isStranger() ? Status.AUTH_ERROR : Status.TOO_BIG);
                swallow = Request.HEADER_BYTES + (long) request.bodyLength;
                continue;
            }
            if (in.length() < Request.HEADER_BYTES + request.bodyLength) {
                try {
                    if (!client.reserve(request.bodyLength)) {
                        return Outcome.CLOSE; // the client has gone
                    }
                } catch (MustWait e) {
                    return Outcome.MAY_BLOCK;
                }
                in.expect(Request.HEADER_BYTES + request.bodyLength);
                return Outcome.WAITING;
            }
            client.begin();
            if (!mayBlock && mayBlock()) {
                return Outcome.MAY_BLOCK;
            }
            int written = out.length();
            boolean goesOn;
            try {
                goesOn = answerRequest();
            } catch (MustWait e) { // nothing was done, so it begins again
                out.truncate(written);
                return Outcome.MAY_BLOCK;
            }
            client.end(
                    client.server().latencies().ofOpcode(request.opcode, client.listener()),
                    in.bytes(),
                    in.position() + request.keyAt,
                    request.keyLength);
            in.skip(Request.HEADER_BYTES + request.bodyLength);
            in.expect(0);
            in.trim();
            boolean _ = client.reserve(0);
            if (!goesOn) {
                return Outcome.CLOSE;
            }
        }
    }

    private long bodyBytesMax() {
        return client.isStranger()
                ? Client.STRANGER_BYTES_MAX
                : (long) client.server().options().valueBytesMax() + BODY_BYTES_MORE;
    }

    /// Whether the request always waits, or takes long.
    private boolean mayBlock() {
        return switch (Opcode.loud(request.opcode)) {
            case Opcode.NOOP, Opcode.VERSION -> false;
            case Opcode.GET,
                    Opcode.GETK,
                    Opcode.SET,
                    Opcode.ADD,
                    Opcode.REPLACE,
                    Opcode.DELETE,
                    Opcode.INCREMENT,
                    Opcode.DECREMENT,
                    Opcode.APPEND,
                    Opcode.PREPEND,
                    Opcode.TOUCH,
                    Opcode.GAT,
                    Opcode.GATK,
                    Opcode.GET_META ->
                    !couchbase.usesCollections() && !client.isReady();
            default -> true;
        };
    }

    /// False if the connection is to be closed.
    private boolean answerRequest() {
        int loud = Opcode.loud(request.opcode);
        Status frames = request.readFrames();
        if (frames != Status.SUCCESS) {
            answer(frames);
            return true;
        }
        Access access = Opcode.access(loud);
        Status admitted = client.admit(access == null ? Access.USER : access);
        if (access == null || admitted != Status.SUCCESS) {
            answer(admitted == Status.SUCCESS ? Status.UNKNOWN_COMMAND : admitted);
            return true;
        }
        if (loud == Opcode.QUIT) {
            if (request.opcode == loud) {
                answer(Status.SUCCESS);
            }
            return false;
        }
        if (login.takes(loud) || couchbase.takes(loud)) {
            return true;
        }
        switch (loud) {
            case Opcode.NOOP -> answer(Status.SUCCESS);
            case Opcode.VERSION ->
                    answer(Status.SUCCESS, NOTHING, text(client.server().wireVersion()), 0);
            case Opcode.VERBOSITY -> answer(form(4, false, false));
            case Opcode.FLUSH -> flush();
            case Opcode.STAT -> Stats.binary(client, request.keyText(), this);
            default -> answerAboutEntry(loud);
        }
        return true;
    }

    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void answerAboutEntry(int loud) {
        Status chosen = couchbase.chooseCollection(request);
        if (chosen != Status.SUCCESS) {
            answer(chosen);
            return;
        }
        try {
            switch (loud) {
                case Opcode.GET, Opcode.GETK -> get(loud);
                case Opcode.SET -> store(Change.Mode.SET);
                case Opcode.ADD -> store(Change.Mode.ADD);
                case Opcode.REPLACE -> store(Change.Mode.REPLACE);
                case Opcode.APPEND -> append(Change.Mode.APPEND);
                case Opcode.PREPEND -> append(Change.Mode.PREPEND);
                case Opcode.DELETE -> delete();
                case Opcode.INCREMENT -> count(true);
                case Opcode.DECREMENT -> count(false);
                case Opcode.TOUCH, Opcode.GAT, Opcode.GATK -> touch(loud);
                case Opcode.GET_META -> couchbase.meta(request);
                case Opcode.GET_LOCKED -> getAndLock();
                case Opcode.UNLOCK -> unlock();
                default -> {
                    if (!subDocuments.takes(request)) {
                        answer(Status.UNKNOWN_COMMAND);
                    }
                }
            }
        } finally {
            client.forgetValue();
            couchbase.leaveCollection();
        }
    }

    Request request() {
        return request;
    }

    /// Checks the length of the extras, and the presence of a key and a value: SUCCESS or INVALID.
    private Status form(int extras, boolean key, boolean value) {
        boolean fits =
                request.extrasLength == extras
                        && (request.keyLength > 0) == key
                        && (value || request.valueLength == 0);
        return fits ? Status.SUCCESS : Status.INVALID;
    }

    private void get(int loud) {
        if (form(0, true, false) != Status.SUCCESS || request.keyLength > Client.KEY_BYTES_MAX) {
            answer(Status.INVALID);
            return;
        }
        byte[] bytes = request.in.bytes();
        int keyAt = request.in.position() + request.keyAt;
        Status status = client.read(bytes, keyAt, request.keyLength);
        boolean withKey = Opcode.hasKey(loud);
        if (status != Status.SUCCESS && status != Status.NOT_FOUND) {
            answer(status);
            return;
        }
        if (status != Status.SUCCESS) {
            if (request.opcode == loud) {
                byte[] message = text("Not found");
                header(status, 0, withKey ? request.keyLength : 0, withKey ? 0 : message.length, 0);
                if (withKey) {
                    out.put(bytes, keyAt, request.keyLength);
                } else {
                    out.put(message);
                }
            }
            return;
        }
        BucketSession session = client.session();
        int keyLength = withKey ? request.keyLength : 0;
        header(status, 4, keyLength, session.value().length(), session.cas());
        out.putInt(session.flags());
        if (withKey) {
            out.put(bytes, keyAt, keyLength);
        }
        out.put(session.value());
        session.release();
    }

    private void store(Change.Mode mode) {
        String key = request.key();
        if (form(8, true, true) != Status.SUCCESS || key == null) {
            answer(Status.INVALID);
            return;
        }
        if (!client.prepareChange(key, false, request.valueLength)) {
            answer(Status.OUT_OF_MEMORY);
            return;
        }
        change(
                key,
                new Change.Store(
                        mode, request.value(), request.extraInt(0), request.expiry(client, 4)));
    }

    private void append(Change.Mode mode) {
        String key = request.key();
        if (form(0, true, true) != Status.SUCCESS || key == null) {
            answer(Status.INVALID);
            return;
        }
        if (!client.prepareChange(key, true, request.valueLength)) {
            answer(Status.OUT_OF_MEMORY);
            return;
        }
        change(key, new Change.Store(mode, request.value(), 0, Change.KEEP));
    }

    private void delete() {
        String key = request.key();
        if (form(0, true, false) != Status.SUCCESS || key == null) {
            answer(Status.INVALID);
            return;
        }
        change(key, new Change.Remove());
    }

    private void change(String key, Change change) {
        Status status = client.change(key, request.cas, change, request.durability);
        if (status != Status.SUCCESS) {
            answer(status);
        } else if (isLoud()) {
            boolean numbered =
                    !(change instanceof Change.Remove) || client.listener() == Listener.COUCHBASE;
            answer(status, NOTHING, NOTHING, numbered ? client.session().cas() : 0);
        }
    }

    private boolean isLoud() {
        return request.opcode == Opcode.loud(request.opcode);
    }

    private void count(boolean up) {
        String key = request.key();
        if (form(20, true, false) != Status.SUCCESS || key == null) {
            answer(Status.INVALID);
            return;
        }
        int seconds = request.extraInt(16);
        boolean create = seconds != -1;
        Change counter =
                new Change.Counter(
                        up,
                        request.extraLong(0),
                        create,
                        request.extraLong(8),
                        create ? request.expiry(client, 16) : Change.KEEP);
        Status status = client.change(key, request.cas, counter, request.durability);
        if (status != Status.SUCCESS) {
            answer(status);
        } else if (isLoud()) {
            byte[] digits = client.session().newValue();
            header(status, 0, 0, 8, client.session().cas());
            out.putLong(Long.parseUnsignedLong(new String(digits, StandardCharsets.US_ASCII)));
        }
    }

    private void touch(int loud) {
        String key = request.key();
        if (form(4, true, false) != Status.SUCCESS || key == null) {
            answer(Status.INVALID);
            return;
        }
        Change touch = new Change.Touch(request.expiry(client, 0));
        Status status =
                loud == Opcode.TOUCH
                        ? client.change(key, request.cas, touch, null)
                        : client.changeAndSend(key, request.cas, touch);
        if (status != Status.SUCCESS) {
            if (isLoud() || status != Status.NOT_FOUND) {
                answer(status);
            }
            return;
        }
        BucketSession session = client.session();
        if (loud == Opcode.TOUCH) {
            answer(status, NOTHING, NOTHING, session.cas());
            return;
        }
        byte[] value = session.newValue();
        int keyLength = Opcode.hasKey(loud) ? request.keyLength : 0;
        header(status, 4, keyLength, value.length, session.cas());
        out.putInt(session.flags());
        out.put(request.in.bytes(), request.in.position() + request.keyAt, keyLength);
        out.put(value);
    }

    /// Lock time of an entry if the client gives none, or more than is allowed.
    private static final int LOCK_SECONDS_USUAL = 15;

    private void getAndLock() {
        String key = request.key();
        boolean timed = request.extrasLength == 4;
        if (form(timed ? 4 : 0, true, false) != Status.SUCCESS || key == null) {
            answer(Status.INVALID);
            return;
        }
        long seconds = timed ? Integer.toUnsignedLong(request.extraInt(0)) : 0;
        if (seconds == 0 || seconds > Bucket.LOCK_SECONDS_MAX) {
            seconds = LOCK_SECONDS_USUAL;
        }
        Status status = client.changeAndSend(key, 0, new Change.Lock(seconds * 1_000_000));
        if (status != Status.SUCCESS) {
            answer(status);
            return;
        }
        BucketSession session = client.session();
        byte[] value = session.newValue();
        header(status, 4, 0, value.length, session.cas());
        out.putInt(session.flags());
        out.put(value);
    }

    private void unlock() {
        String key = request.key();
        if (form(0, true, false) != Status.SUCCESS || key == null || request.cas == 0) {
            answer(Status.INVALID);
            return;
        }
        answer(client.change(key, request.cas, new Change.Unlock(), null));
    }

    private void flush() {
        boolean delayed = request.extrasLength == 4;
        if (form(delayed ? 4 : 0, false, false) != Status.SUCCESS) {
            answer(Status.INVALID);
            return;
        }
        Status status = client.flush(delayed ? Integer.toUnsignedLong(request.extraInt(0)) : 0);
        if (isLoud() || status != Status.SUCCESS) {
            answer(status);
        }
    }

    private void header(Status status, int extras, int key, int value, long cas) {
        out.putByte(MAGIC_RESPONSE).putByte(request.opcode).putShort(key).putByte(extras);
        out.putByte(0).putShort(status.code()).putInt(extras + key + value);
        out.putInt(request.opaque).putLong(cas);
    }

    /// Answers with a status; an error's body is its message.
    void answer(Status found) {
        Status status = found == Status.LOCKED ? locked() : found;
        answer(status, NOTHING, status.isSuccess() ? NOTHING : text(Messages.of(status)), 0);
    }

    /// The status for a locked entry. A Couchbase client that changes such an entry gets EXISTS, as if another
    /// client had changed it: after LOCKED it would retry until it gives up. A client that wants the lock itself
    /// gets LOCKED, and may retry.
    private Status locked() {
        boolean wantsLock = request.opcode == Opcode.GET_LOCKED || request.opcode == Opcode.UNLOCK;
        boolean couchbases = client.listener() == Listener.COUCHBASE;
        return couchbases && !wantsLock ? Status.EXISTS : Status.LOCKED;
    }

    void answer(Status status, byte[] extras, byte[] value, long cas) {
        header(status, extras.length, 0, value.length, cas);
        out.put(extras).put(value);
    }

    /// One line of statistics; an empty one ends them.
    void answerStat(String name, String value) {
        byte[] key = text(name);
        byte[] bytes = text(value);
        header(Status.SUCCESS, 0, key.length, bytes.length, 0);
        out.put(key).put(bytes);
    }

    @Override
    public void sent() {
        client.values().sent();
    }

    @Override
    public Client client() {
        return client;
    }

    @Override
    public boolean isStranger() {
        return client.isStranger();
    }

    @Override
    public void close() {
        client.close();
    }
}

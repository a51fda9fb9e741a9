package dev.oriel.server;

import dev.oriel.kv.BucketSession;
import dev.oriel.kv.Change;
import dev.oriel.kv.Status;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// memcached's text protocol: the classic commands. [MetaCommands] has the meta commands (`mg`, `ms`, ...).
///
/// A request is a line of words; storage commands are followed by a data block and a line end. Error texts equal
/// memcached's exactly, because clients compare them.
final class TextProtocol implements Protocol {
    private static final String BAD_FORMAT = "CLIENT_ERROR bad command line format";
    private static final int LINE_BYTES_MAX = 64 << 10;

    /// Greatest length of a `get` line in bytes, which may name many keys.
    private static final int GET_BYTES_MAX = 1 << 20;

    private static final long SECONDS_MAX = Integer.MAX_VALUE * 4L;

    /// Access rule of each command: the only table of commands. A client that has not logged in uses `set` to do
    /// so.
    static final Map<String, Access> ACCESS =
            Map.ofEntries(
                    Map.entry("get", Access.READ),
                    Map.entry("gets", Access.READ),
                    Map.entry("gat", Access.WRITE),
                    Map.entry("gats", Access.WRITE),
                    Map.entry("set", Access.WRITE),
                    Map.entry("add", Access.WRITE),
                    Map.entry("replace", Access.WRITE),
                    Map.entry("append", Access.WRITE),
                    Map.entry("prepend", Access.WRITE),
                    Map.entry("cas", Access.WRITE),
                    Map.entry("delete", Access.WRITE),
                    Map.entry("incr", Access.WRITE),
                    Map.entry("decr", Access.WRITE),
                    Map.entry("touch", Access.WRITE),
                    Map.entry("flush_all", Access.ADMIN),
                    Map.entry("version", Access.USER),
                    Map.entry("verbosity", Access.USER),
                    Map.entry("stats", Access.USER),
                    Map.entry("shutdown", Access.USER),
                    Map.entry("quit", Access.ANYBODY),
                    Map.entry("mg", Access.READ), // and WRITE with flags that change something
                    Map.entry("ms", Access.WRITE),
                    Map.entry("md", Access.WRITE),
                    Map.entry("ma", Access.WRITE),
                    Map.entry("mn", Access.USER),
                    Map.entry("me", Access.READ));

    private final Client client;
    private final Words words = new Words();
    private final MetaCommands meta;

    /// A command that has been read and waits for its block of bytes.
    private @Nullable Pending pending;

    /// Bytes that are still to be skipped.
    private long swallow;

    /// The command of the current request.
    private Latencies.Command command;

    /// Number of bytes already scanned in a line that has not ended.
    private int looked;

    /// Index of the next word of a `get`, if earlier answers are to be sent first; else 0.
    private int next;

    /// A command that stores, until its bytes have come.
    ///
    /// @param key null if it was refused already, and only the bytes are to be skipped
    record Pending(
            Change.Mode mode,
            @Nullable String key,
            int flags,
            long seconds,
            int length,
            long cas,
            boolean isCas,
            boolean quiet,
            MetaCommands.@Nullable Request meta) {
        /// Whether errors are not reported either; meta commands always report them.
        boolean isSilent() {
            return quiet && meta == null;
        }
    }

    TextProtocol(Client client) {
        this.client = client;
        this.meta = new MetaCommands(client);
        this.command = client.server().latencies().ofText("");
    }

    @Override
    public Outcome run(Input in, Output out, boolean mayBlock) {
        client.mayWait(mayBlock);
        while (true) {
            if (out.length() > OUTPUT_BYTES_MAX) {
                return Outcome.FULL;
            }
            if (swallow > 0) {
                int now = (int) Math.min(swallow, in.length());
                in.skip(now);
                swallow -= now;
                if (swallow > 0) {
                    return Outcome.WAITING;
                }
            }
            Pending waiting = pending;
            int position = in.position();
            int written = out.length();
            int begun = next;
            Outcome end;
            try {
                end = waiting == null ? line(in, out, mayBlock) : block(waiting, in, out, mayBlock);
            } catch (MustWait e) { // nothing was done, so it begins again
                in.rewind(position);
                out.truncate(written);
                pending = waiting;
                next = begun;
                return Outcome.MAY_BLOCK;
            }
            if (end != null) {
                return end;
            }
        }
    }

    /// Executes the command of the next line; null if more may follow.
    private @Nullable Outcome line(Input in, Output out, boolean mayBlock) {
        int length = in.lineLength(looked);
        if (length < 0) {
            looked = in.length();
            return isTooLong(in, out) ? Outcome.CLOSE : Outcome.WAITING;
        }
        looked = 0;
        words.read(in, length);
        client.begin();
        if (!mayBlock && mayBlock()) {
            return Outcome.MAY_BLOCK;
        }
        if (!command(out)) {
            return Outcome.CLOSE;
        }
        if (next > 0) {
            return Outcome.FULL; // the line stays
        }
        if (pending == null) {
            boolean about = words.count() > 1;
            client.end(
                    command,
                    words.bytes(),
                    about ? words.start(1) : 0,
                    about ? words.length(1) : 0);
        } else {
            client.forgetBegin(); // its bytes are awaited
        }
        in.skip(length + 1);
        if (length > LINE_BYTES_MAX) {
            words.forget();
            in.trim();
            boolean _ = pending != null || client.reserve(0);
        }
        return null;
    }

    /// Whether the incomplete line in `in` is too long; answers with an error then.
    private boolean isTooLong(Input in, Output out) {
        if (looked <= Client.STRANGER_BYTES_MAX) {
            return false;
        }
        int longest =
                client.isStranger()
                        ? Client.STRANGER_BYTES_MAX
                        : namesMany(in) ? GET_BYTES_MAX : LINE_BYTES_MAX;
        if (looked > longest) {
            out.line("CLIENT_ERROR line too long");
            return true;
        }
        return looked > LINE_BYTES_MAX && !client.reserve(GET_BYTES_MAX); // or the client has gone
    }

    /// Whether the request begins with `get ` or `gets `.
    private static boolean namesMany(Input in) {
        return in.length() > 4
                && in.byteAt(0) == 'g'
                && in.byteAt(1) == 'e'
                && in.byteAt(2) == 't'
                && (in.byteAt(3) == ' ' || (in.byteAt(3) == 's' && in.byteAt(4) == ' '));
    }

    /// Executes the pending command if its bytes have come; null if more may follow.
    private @Nullable Outcome block(Pending waiting, Input in, Output out, boolean mayBlock) {
        if (in.length() < waiting.length + 2) {
            in.expect(waiting.length + 2);
            return Outcome.WAITING;
        }
        client.begin();
        if (!mayBlock && (client.isStranger() || !client.isReady())) {
            return Outcome.MAY_BLOCK; // a login takes long
        }
        pending = null;
        in.expect(0);
        store(waiting, in, out);
        in.trim();
        boolean _ = client.reserve(0);
        client.end(command, waiting.key);
        return null;
    }

    /// Whether the command always waits, or takes long.
    private boolean mayBlock() {
        boolean known =
                words.count() > 0
                        && (words.length(0) == 2
                                ? !(words.is(0, "ma") && meta.touches(words))
                                : !words.is(0, "flush_all") && !words.is(0, "stats"));
        return !known || !client.isReady();
    }

    /// False if the connection is to be closed.
    private boolean command(Output out) {
        if (words.count() == 0) {
            out.line("ERROR");
            return true;
        }
        String name = words.length(0) <= 9 ? words.text(0) : "";
        Access access = ACCESS.get(name);
        command = client.server().latencies().ofText(name);
        if (access == null && words.text(words.count() - 1).startsWith("HTTP/")) {
            return false; // a browser: the next lines are a web page's, not its user's
        }
        boolean logsIn = name.equals("set") && client.isStranger();
        Status admitted =
                logsIn ? Status.SUCCESS : client.admit(access == null ? Access.USER : access);
        if (admitted == Status.AUTH_ERROR || (admitted != Status.SUCCESS && !hasBlock(name))) {
            boolean quiet = admitted == Status.ACCESS_DENIED && hasNoReply(name) && isQuiet();
            say(quiet, out, error(admitted));
            next = 0;
            return true;
        }
        if (access == null) {
            out.line("ERROR");
            return true;
        }
        switch (name) {
            case "get", "gets" -> get(name.equals("gets"), out);
            case "gat", "gats" -> getAndTouch(name.equals("gats"), out);
            case "set" -> expectBlock(Change.Mode.SET, false, out);
            case "add" -> expectBlock(Change.Mode.ADD, false, out);
            case "replace" -> expectBlock(Change.Mode.REPLACE, false, out);
            case "append" -> expectBlock(Change.Mode.APPEND, false, out);
            case "prepend" -> expectBlock(Change.Mode.PREPEND, false, out);
            case "cas" -> expectBlock(Change.Mode.SET, true, out);
            case "delete" -> delete(out);
            case "incr" -> count(true, out);
            case "decr" -> count(false, out);
            case "touch" -> touch(out);
            case "flush_all" -> flush(out);
            case "version" -> out.line("VERSION " + client.server().wireVersion());
            case "verbosity" -> verbosity(out);
            case "stats" -> Stats.text(client, words.count() > 1 ? words.text(1) : "", out);
            case "shutdown" -> out.line("ERROR: shutdown not enabled");
            case "quit" -> {
                return false;
            }
            case "mg", "ms", "md", "ma", "mn", "me" -> {
                Pending expected = meta.command(words, name, out);
                if (expected != null) {
                    expect(expected, out);
                }
            }
            default -> throw new IllegalStateException("nothing does " + name);
        }
        return true;
    }

    /// Whether bytes follow the line, which have to be read before the command is refused.
    private static boolean hasBlock(String name) {
        return switch (name) {
            case "set", "add", "replace", "append", "prepend", "cas", "ms" -> true;
            default -> false;
        };
    }

    /// Whether the last word of a command without a block may be `noreply`.
    private static boolean hasNoReply(String name) {
        return switch (name) {
            case "delete", "incr", "decr", "touch", "flush_all" -> true;
            default -> false;
        };
    }

    private boolean isQuiet() {
        return words.is(words.count() - 1, "noreply");
    }

    private static void say(boolean quiet, Output out, String answer) {
        if (!quiet) {
            out.line(answer);
        }
    }

    /// The answer for a status that has no word of its own in the command.
    static String error(Status status) {
        return switch (status) {
            case INVALID -> BAD_FORMAT;
            case TOO_BIG -> "SERVER_ERROR object too large for cache";
            case TEMPORARY_FAILURE -> "SERVER_ERROR temporary failure";
            case ACCESS_DENIED -> "CLIENT_ERROR access denied";
            case AUTH_ERROR -> "CLIENT_ERROR unauthenticated";
            case LOCKED -> "SERVER_ERROR entry is locked";
            case OUT_OF_MEMORY -> "SERVER_ERROR out of memory storing object";
            default -> "SERVER_ERROR internal error";
        };
    }

    private @Nullable String key(int word) {
        return Client.key(words.bytes(), words.start(word), words.length(word));
    }

    private void get(boolean withCas, Output out) {
        if (words.count() == 1) {
            out.line("ERROR");
            return;
        }
        int first = Math.max(1, next);
        next = 0;
        if (first == 1 && !areKeys(1)) {
            out.line(BAD_FORMAT);
            return;
        }
        for (int i = first; i < words.count(); i++) {
            if (out.length() > OUTPUT_BYTES_MAX) {
                next = i;
                return;
            }
            Status status = client.read(words.bytes(), words.start(i), words.length(i));
            if (status == Status.OUT_OF_MEMORY) {
                out.line("SERVER_ERROR out of memory writing get response");
                return;
            }
            if (status == Status.ACCESS_DENIED) {
                out.line(error(status));
                return;
            }
            if (status == Status.SUCCESS) {
                BucketSession session = client.session();
                out.put("VALUE ").put(words.bytes(), words.start(i), words.length(i)).put(' ');
                out.putDigits(Integer.toUnsignedLong(session.flags())).put(' ');
                out.putDigits(session.value().length());
                if (withCas) {
                    out.put(' ').putDigits(session.cas());
                }
                out.put('\r').put('\n').put(session.value()).put('\r').put('\n');
                session.release();
            }
        }
        out.line("END");
    }

    /// Whether the words from `from` on may be keys: one that is too long refuses them all.
    private boolean areKeys(int from) {
        for (int i = from; i < words.count(); i++) {
            if (words.length(i) > Client.KEY_BYTES_MAX) {
                return false;
            }
        }
        return true;
    }

    private void getAndTouch(boolean withCas, Output out) {
        if (words.count() < 2) {
            out.line("ERROR");
            return;
        }
        long seconds = words.number(1, SECONDS_MAX);
        if (seconds == Words.NO_NUMBER) {
            out.line("CLIENT_ERROR invalid exptime argument");
            return;
        }
        int first = Math.max(2, next);
        next = 0;
        if (first == 2 && !areKeys(2)) {
            out.line(BAD_FORMAT);
            return;
        }
        for (int i = first; i < words.count(); i++) {
            if (out.length() > OUTPUT_BYTES_MAX) {
                next = i;
                return;
            }
            String key = key(i);
            if (key == null) {
                out.line(BAD_FORMAT);
                return;
            }
            Change touch = new Change.Touch(client.expiry(seconds));
            Status status = client.changeAndSend(key, 0, touch);
            if (status == Status.SUCCESS) {
                BucketSession session = client.session();
                out.put("VALUE ").put(words.bytes(), words.start(i), words.length(i)).put(' ');
                out.putDigits(Integer.toUnsignedLong(session.flags())).put(' ');
                out.putDigits(session.newValue().length);
                if (withCas) {
                    out.put(' ').putDigits(session.cas());
                }
                out.put('\r').put('\n').put(session.newValue()).put('\r').put('\n');
            } else if (status != Status.NOT_FOUND) {
                out.line(error(status));
                return;
            }
        }
        out.line("END");
    }

    /// `<command> key flags exptime bytes [cas] [noreply]`.
    private void expectBlock(Change.Mode mode, boolean isCas, Output out) {
        int least = isCas ? 6 : 5;
        if (words.count() < least || words.count() > least + 1) {
            out.line("ERROR");
            return;
        }
        long flags = words.number(2, 0xFFFF_FFFFL);
        long seconds = words.number(3, SECONDS_MAX);
        long length = words.number(4, Integer.MAX_VALUE - 2L);
        boolean numbers =
                flags >= 0
                        && seconds != Words.NO_NUMBER
                        && length >= 0
                        && (!isCas || words.isUnsigned(5));
        String key = key(1);
        boolean quiet = words.count() == least + 1 && isQuiet();
        if (!numbers || key == null) {
            // The intended block is read as commands, as memcached does it.
            say(quiet, out, BAD_FORMAT);
            return;
        }
        long cas = isCas ? words.unsigned(5) : 0;
        expect(
                new Pending(mode, key, (int) flags, seconds, (int) length, cas, isCas, quiet, null),
                out);
    }

    private void expect(Pending expected, Output out) {
        int longest =
                client.isStranger()
                        ? Client.STRANGER_BYTES_MAX
                        : client.server().options().valueBytesMax();
        boolean silent = expected.isSilent();
        if (expected.length > longest) {
            say(silent, out, error(Status.TOO_BIG));
            swallow = expected.length + 2L;
            return;
        }
        if (!client.reserve(expected.length)) {
            say(silent, out, error(Status.OUT_OF_MEMORY));
            swallow = expected.length + 2L;
            return;
        }
        pending = expected;
    }

    private void store(Pending store, Input in, Output out) {
        boolean whole = in.byteAt(store.length) == '\r' && in.byteAt(store.length + 1) == '\n';
        String key = store.key;
        if (!whole) {
            say(store.isSilent(), out, "CLIENT_ERROR bad data chunk");
            in.skip(store.length + 2);
            return;
        }
        if (key == null) {
            in.skip(store.length + 2);
            return;
        }
        if (client.isStranger()) {
            login(in.text(0, store.length), out);
            in.skip(store.length + 2);
            return;
        }
        boolean readsOld = store.mode == Change.Mode.APPEND || store.mode == Change.Mode.PREPEND;
        if (!client.prepareChange(key, readsOld, store.length)) {
            in.skip(store.length + 2);
            say(store.isSilent(), out, error(Status.OUT_OF_MEMORY));
            return;
        }
        byte[] value = in.copy(0, store.length);
        in.skip(store.length + 2);
        if (store.meta != null) {
            meta.store(store, key, value, out);
            return;
        }
        Change change =
                new Change.Store(store.mode, value, store.flags, client.expiry(store.seconds));
        Status status =
                store.isCas && store.cas == 0
                        ? client.existing(key)
                        : client.change(key, store.cas, change, null);
        String answer =
                switch (status) {
                    case SUCCESS -> "STORED";
                    case EXISTS -> store.isCas ? "EXISTS" : "NOT_STORED";
                    case NOT_FOUND -> store.isCas ? "NOT_FOUND" : "NOT_STORED";
                    case NOT_STORED -> "NOT_STORED";
                    default -> error(status);
                };
        say(store.quiet, out, answer);
    }

    /// Logs in: in the text protocol the first `set` of a new client carries name and password.
    private void login(String credentials, Output out) {
        int space = credentials.indexOf(' ');
        if (!client.isUnheard()) {
            String name = credentials.substring(0, Math.max(space, 0));
            client.refusedUnseen(name, "text, over a network without TLS");
            out.line("CLIENT_ERROR authentication failure");
            return;
        }
        boolean known =
                space > 0
                        && client.login(
                                credentials.substring(0, space),
                                credentials.substring(space + 1),
                                "text");
        out.line(known ? "STORED" : "CLIENT_ERROR authentication failure");
    }

    private void delete(Output out) {
        if (words.count() < 2 || words.count() > 4) {
            out.line("ERROR");
            return;
        }
        boolean quiet = words.count() > 2 && isQuiet();
        boolean fine = words.count() == 2 || (quiet && words.count() == 3) || words.is(2, "0");
        String key = key(1);
        if (!fine || key == null) {
            String usage = fine ? "" : ".  Usage: delete <key> [noreply]";
            say(quiet, out, BAD_FORMAT + usage);
            return;
        }
        Status status = client.change(key, 0, new Change.Remove(), null);
        say(
                quiet,
                out,
                switch (status) {
                    case SUCCESS -> "DELETED";
                    case NOT_FOUND -> "NOT_FOUND";
                    default -> error(status);
                });
    }

    private void count(boolean up, Output out) {
        if (words.count() < 3 || words.count() > 4) {
            out.line("ERROR");
            return;
        }
        String key = key(1);
        boolean quiet = words.count() == 4 && isQuiet();
        if (key == null) {
            say(quiet, out, BAD_FORMAT);
            return;
        }
        if (!words.isUnsigned(2)) {
            say(quiet, out, "CLIENT_ERROR invalid numeric delta argument");
            return;
        }
        Change counter = new Change.Counter(up, words.unsigned(2), false, 0, Change.KEEP);
        Status status = client.change(key, 0, counter, null);
        say(
                quiet,
                out,
                switch (status) {
                    case SUCCESS ->
                            new String(client.session().newValue(), StandardCharsets.US_ASCII);
                    case NOT_FOUND -> "NOT_FOUND";
                    case NOT_A_NUMBER ->
                            "CLIENT_ERROR cannot increment or decrement non-numeric value";
                    default -> error(status);
                });
    }

    private void touch(Output out) {
        if (words.count() < 3 || words.count() > 4) {
            out.line("ERROR");
            return;
        }
        String key = key(1);
        long seconds = words.number(2, SECONDS_MAX);
        boolean quiet = words.count() == 4 && isQuiet();
        if (key == null || seconds == Words.NO_NUMBER) {
            say(quiet, out, key == null ? BAD_FORMAT : "CLIENT_ERROR invalid exptime argument");
            return;
        }
        Status status = client.change(key, 0, new Change.Touch(client.expiry(seconds)), null);
        say(
                quiet,
                out,
                switch (status) {
                    case SUCCESS -> "TOUCHED";
                    case NOT_FOUND -> "NOT_FOUND";
                    default -> error(status);
                });
    }

    private void flush(Output out) {
        boolean quiet = words.count() > 1 && isQuiet();
        int arguments = words.count() - (quiet ? 2 : 1);
        long delay = arguments > 0 ? words.number(1, SECONDS_MAX) : 0;
        if (arguments > 1) {
            out.line("ERROR");
            return;
        }
        if (delay == Words.NO_NUMBER) {
            say(quiet, out, "CLIENT_ERROR invalid exptime argument");
            return;
        }
        Status status = client.flush(delay);
        say(quiet, out, status == Status.SUCCESS ? "OK" : error(status));
    }

    private void verbosity(Output out) {
        if (words.count() < 2 || words.count() > 3) {
            out.line("ERROR");
            return;
        }
        boolean fine = isQuiet() || words.number(1, Integer.MAX_VALUE) >= 0;
        say(isQuiet(), out, fine ? "OK" : BAD_FORMAT);
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

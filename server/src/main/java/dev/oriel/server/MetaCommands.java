package dev.oriel.server;

import dev.oriel.kv.BucketSession;
import dev.oriel.kv.Change;
import dev.oriel.kv.Status;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// memcached's meta commands: `mg`, `ms`, `md`, `ma`, `mn`, `me`.
///
/// Clients renew an entry with `I` on `md` and `ms`, and `N` and `R` on `mg`: one of them wins (`W`) and writes it
/// again. The others learn that another client does so (`Z`), and that the value is stale (`X`). The marks are kept
/// with the entry, on the disk. `E`, a number of the client's own choice for an entry, is refused: numbers are the
/// database's.
final class MetaCommands {
    private static final String BAD_FORMAT = "CLIENT_ERROR bad command line format";
    private static final String BAD_TOKEN = "CLIENT_ERROR bad token in command line format";
    private static final long SECONDS_MAX = Integer.MAX_VALUE * 4L;

    private static final int VIVIFY_ATTEMPTS_MAX = 10;

    private final Client client;

    /// Time of the last read of the entry before this request; 0 if unknown.
    private long read;

    MetaCommands(Client client) {
        this.client = client;
    }

    /// The flags of one request.
    ///
    /// @param flags the words after the key (and the length), each a letter and perhaps an argument
    @SuppressWarnings("ArrayRecordComponent") // never changed
    record Request(String keyAsGiven, String key, String[] flags) {
        @Nullable String find(char letter) {
            for (String flag : flags) {
                if (flag.charAt(0) == letter) {
                    return flag.substring(1);
                }
            }
            return null;
        }

        boolean has(char letter) {
            return find(letter) != null;
        }

        /// The argument of a flag as a number; [Words#NO_NUMBER] if it is none.
        long number(char letter, long without) {
            String digits = find(letter);
            if (digits == null) {
                return without;
            }
            try {
                long number = Long.parseLong(digits);
                return Math.abs(number) > SECONDS_MAX ? Words.NO_NUMBER : number;
            } catch (NumberFormatException e) {
                return Words.NO_NUMBER;
            }
        }

        long unsigned(char letter, long without) {
            String digits = find(letter);
            return digits == null ? without : Long.parseUnsignedLong(digits);
        }
    }

    /// Whether a command has the flag T. On `ma` that is a second change: a restarted request would count twice.
    boolean touches(Words words) {
        for (int i = 2; i < words.count(); i++) {
            byte letter = words.bytes()[words.start(i)];
            if (letter == 'T' || letter == 'N' || letter == 'R') {
                return true;
            }
        }
        return false;
    }

    /// Executes a command, or returns it as pending until its block of bytes has arrived.
    TextProtocol.@Nullable Pending command(Words words, String name, Output out) {
        if (name.equals("mn")) {
            out.line("MN");
            return null;
        }
        boolean stores = name.equals("ms");
        int flagsFrom = stores ? 3 : 2;
        if (words.count() < flagsFrom) {
            out.line(words.count() == 1 ? "ERROR" : BAD_FORMAT);
            return null;
        }
        Request request = request(words, flagsFrom);
        long length = stores ? words.number(2, Integer.MAX_VALUE - 2L) : 0;
        String wrong = request == null || length < 0 ? BAD_FORMAT : wrong(request, name);
        if (wrong != null || request == null) {
            out.line(wrong == null ? BAD_FORMAT : wrong);
            return stores && length >= 0 ? passOver((int) length) : null;
        }
        switch (name) {
            case "mg" -> get(request, out);
            case "md" -> delete(request, out);
            case "ma" -> count(request, out);
            case "me" -> debug(request, out);
            default -> {
                return pending(request, (int) length, out);
            }
        }
        return null;
    }

    /// Skips the block of a refused command, which comes all the same.
    private static TextProtocol.Pending passOver(int length) {
        return new TextProtocol.Pending(Change.Mode.SET, null, 0, 0, length, 0, false, true, null);
    }

    private static String allowed(String name) {
        return switch (name) {
            case "mg" -> "bcfhklNOqRstuvT";
            case "ms" -> "bcCFIkOqsTMN";
            case "md" -> "bCIkOqT";
            case "ma" -> "bCNJDTMOqtcvk";
            default -> "b";
        };
    }

    private static @Nullable Request request(Words words, int flagsFrom) {
        String[] flags = new String[words.count() - flagsFrom];
        for (int i = 0; i < flags.length; i++) {
            flags[i] = words.text(flagsFrom + i);
        }
        Request request = new Request(words.text(1), "", flags);
        byte[] bytes = request.keyAsGiven.getBytes(StandardCharsets.ISO_8859_1);
        if (request.has('b')) {
            try {
                bytes = Base64.getDecoder().decode(bytes);
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
        String key = Client.key(bytes, 0, bytes.length);
        return key == null ? null : new Request(request.keyAsGiven, key, flags);
    }

    /// The error in the flags, or null.
    private static @Nullable String wrong(Request request, String name) {
        String allowed = allowed(name);
        boolean old = name.equals("mg") || name.equals("ms");
        String seen = "";
        for (String flag : request.flags) {
            char letter = flag.charAt(0);
            if (allowed.indexOf(letter) < 0) {
                return old ? "CLIENT_ERROR invalid flag" : "CLIENT_ERROR invalid or duplicate flag";
            }
            if (seen.indexOf(letter) >= 0) {
                return old
                        ? "CLIENT_ERROR duplicate flag"
                        : "CLIENT_ERROR invalid or duplicate flag";
            }
            seen += letter;
            String argument = flag.substring(1);
            boolean fine =
                    switch (letter) {
                        case 'T', 'N', 'R' -> argument.matches("-?[0-9]{1,10}");
                        case 'C', 'J', 'D' -> isUnsigned(argument);
                        case 'F' ->
                                argument.matches("[0-9]{1,10}")
                                        && Long.parseLong(argument) <= 0xFFFF_FFFFL;
                        case 'M' -> argument.length() == 1;
                        case 'O' -> argument.length() <= 32;
                        default -> argument.isEmpty();
                    };
            if (!fine) {
                return BAD_TOKEN;
            }
        }
        return null;
    }

    private static boolean isUnsigned(String digits) {
        return digits.matches("[0-9]{1,19}")
                || (digits.matches("[0-9]{20}") && digits.compareTo("18446744073709551615") <= 0);
    }

    private void get(Request request, Output out) {
        BucketSession session = client.session();
        EntryReads reads = client.server().reads();
        if (request.has('h') || request.has('l')) {
            reads.keep();
        }
        long lastRead = reads.last(client.bucket(), request.key);
        boolean sends = request.has('v');
        boolean changes = request.has('T') || request.has('N') || request.has('R');
        Status status = Status.SUCCESS;
        byte[] value = null;
        if (!changes) {
            status = sends ? client.read(request.key) : client.look(request.key);
            boolean wins = status == Status.SUCCESS && session.isStale() && !session.isClaimed();
            if (wins
                    && client.may(
                            Role.WRITE)) { // the first client that sees it stale is to renew it
                session.release();
                changes = true;
            }
        }
        if (changes) {
            Change claim = claim(request);
            status =
                    sends
                            ? client.changeAndSend(request.key, 0, claim)
                            : client.change(request.key, 0, claim, null);
            value = session.newValue();
        }
        if (request.has('u') && lastRead == 0) {
            reads.forget(client.bucket(), request.key);
        } else if (changes && status == Status.SUCCESS) {
            reads.note(client.bucket(), request.key);
        }
        if (status != Status.SUCCESS) {
            if (status != Status.NOT_FOUND) {
                out.line(TextProtocol.error(status));
            } else if (!request.has('q')) {
                out.put("EN");
                putGiven(request, out);
                out.line("");
            }
            return;
        }
        int length = value == null ? session.value().length() : value.length;
        if (sends) {
            out.put("VA ").putDigits(length);
        } else {
            out.put("HD");
        }
        read = lastRead;
        putFlags(request, length, out);
        putMarks(changes && session.hasWon(), out);
        out.line("");
        if (sends) {
            if (value == null) {
                out.put(session.value());
            } else {
                out.put(value);
            }
            out.line("");
        }
        session.release();
    }

    private Change claim(Request request) {
        String seconds = request.find('T');
        return new Change.Claim(
                seconds == null ? Change.KEEP : client.expiry(request.number('T', 0)),
                request.number('R', 0) * 1_000_000,
                request.has('N'),
                client.expiry(request.number('N', 0)));
    }

    /// Seconds since the entry's last read; since its last change if it was never read.
    private long secondsSinceRead() {
        long cas = client.session().cas();
        long now = client.server().buckets().nowMicros();
        long changed = cas == BucketSession.LOCKED_CAS ? now : cas >>> 8; // as the table counts
        return Math.max(0, now - Math.max(read, Math.min(changed, now))) / 1_000_000;
    }

    private void putMarks(boolean won, Output out) {
        BucketSession session = client.session();
        if (session.isClaimed() && !won) {
            out.put(" Z");
        }
        if (session.isStale()) {
            out.put(" X");
        }
        if (won) {
            out.put(" W");
        }
    }

    /// Appends the requested flags, in the order of the request.
    private void putFlags(Request request, int length, Output out) {
        BucketSession session = client.session();
        for (String flag : request.flags) {
            char letter = flag.charAt(0);
            switch (letter) {
                case 'c' -> out.put(" c").putDigits(session.cas());
                case 'f' -> out.put(" f").putDigits(Integer.toUnsignedLong(session.flags()));
                case 's' -> out.put(" s").putDigits(length);
                case 'h' -> out.put(read == 0 ? " h0" : " h1");
                case 'l' -> out.put(" l").putDigits(secondsSinceRead());
                case 't' -> {
                    long micros = session.expiresAtMicros();
                    if (micros == Change.NEVER) {
                        out.put(" t-1");
                    } else {
                        long left = micros - client.server().buckets().nowMicros();
                        out.put(" t").putDigits(Math.max(0, (left + 999_999) / 1_000_000));
                    }
                }
                case 'k' -> out.put(" k").put(request.keyAsGiven);
                case 'O' -> out.put(" ").put(flag);
                case 'b' -> {
                    if (request.has('k')) {
                        out.put(" b");
                    }
                }
                default -> {}
            }
        }
    }

    /// Appends the flags that echo the request, for an entry that does not exist.
    private static void putGiven(Request request, Output out) {
        for (String flag : request.flags) {
            if (flag.charAt(0) == 'O') {
                out.put(" ").put(flag);
            } else if (flag.charAt(0) == 'k') {
                out.put(" k").put(request.keyAsGiven);
            } else if (flag.charAt(0) == 'b' && request.has('k')) {
                out.put(" b");
            }
        }
    }

    private TextProtocol.@Nullable Pending pending(Request request, int length, Output out) {
        String letters = request.find('M');
        char mode = letters == null ? 'S' : letters.charAt(0);
        Change.Mode wanted =
                switch (mode) {
                    case 'S', 's' -> Change.Mode.SET;
                    case 'E', 'e' -> Change.Mode.ADD;
                    case 'R', 'r' -> Change.Mode.REPLACE;
                    case 'A', 'a' -> Change.Mode.APPEND;
                    case 'P', 'p' -> Change.Mode.PREPEND;
                    default -> null;
                };
        if (wanted == null) {
            out.line("CLIENT_ERROR invalid mode for ms M token");
            return passOver(length);
        }
        return new TextProtocol.Pending(
                wanted,
                request.key,
                (int) request.unsigned('F', 0),
                request.number('T', 0),
                length,
                request.unsigned('C', 0),
                request.has('C'),
                request.has('q'),
                request);
    }

    /// Executes an `ms` whose bytes have come.
    void store(TextProtocol.Pending store, String key, byte[] value, Output out) {
        Request request = store.meta();
        if (request == null) {
            throw new IllegalStateException("no meta command");
        }
        Change change =
                new Change.Store(
                        store.mode(), value, store.flags(), client.expiry(store.seconds()));
        boolean replaces = store.mode() == Change.Mode.SET || store.mode() == Change.Mode.REPLACE;
        boolean numbered = replaces && store.isCas();
        boolean never = numbered && store.cas() == 0;
        boolean adds = store.mode() == Change.Mode.ADD; // an add demands no number
        Status status =
                never
                        ? client.existing(key)
                        : client.change(key, adds ? 0 : store.cas(), change, null);
        if (status == Status.EXISTS && numbered && !never && request.has('I')) {
            Change stale = new Change.StoreStale(value, store.flags(), store.cas());
            status = client.change(key, 0, stale, null);
        }
        if (status == Status.NOT_FOUND && !numbered) {
            status = Status.NOT_STORED;
        }
        if (status == Status.NOT_STORED && !replaces && request.has('N')) {
            status = vivify(store, key, change, client.expiry(request.number('N', 0)));
        }
        String word =
                switch (status) {
                    case SUCCESS -> "HD";
                    case EXISTS -> store.isCas() && !adds ? "EX" : "NS";
                    case NOT_FOUND -> "NF";
                    case NOT_STORED -> "NS";
                    default -> null;
                };
        answer(request, word, status, value.length, out);
    }

    /// Makes the entry to append to, or appends if another client has just made it.
    private Status vivify(
            TextProtocol.Pending store, String key, Change append, long expiresAtMicros) {
        byte[] value = ((Change.Store) append).value();
        Change add = new Change.Store(Change.Mode.ADD, value, store.flags(), expiresAtMicros);
        Status status = Status.NOT_STORED;
        for (int i = 0; i < VIVIFY_ATTEMPTS_MAX && status == Status.NOT_STORED; i++) {
            status = client.change(key, 0, add, null);
            if (status == Status.EXISTS) {
                status = client.change(key, store.cas(), append, null);
            }
        }
        return status;
    }

    /// @param word null for an error
    private void answer(
            Request request, @Nullable String word, Status status, int length, Output out) {
        if (word == null) {
            out.line(TextProtocol.error(status));
            return;
        }
        boolean quiet = request.has('q') && word.equals("HD");
        if (quiet) {
            return;
        }
        out.put(word);
        if (status == Status.SUCCESS) {
            putFlags(request, length, out);
        } else {
            putGiven(request, out);
        }
        out.line("");
    }

    private void delete(Request request, Output out) {
        String seconds = request.find('T');
        Change change =
                request.has('I')
                        ? new Change.Invalidate(
                                seconds == null
                                        ? Change.KEEP
                                        : client.expiry(request.number('T', 0)))
                        : new Change.Remove();
        long cas = request.unsigned('C', 0);
        Status status =
                request.has('C') && cas == 0
                        ? client.existing(request.key)
                        : client.change(request.key, cas, change, null);
        String word =
                switch (status) {
                    case SUCCESS -> "HD";
                    case EXISTS -> "EX";
                    case NOT_FOUND -> "NF";
                    default -> null;
                };
        answer(request, word, status, 0, out);
    }

    private void count(Request request, Output out) {
        String letters = request.find('M');
        char mode = letters == null ? 'I' : letters.charAt(0);
        if ("Ii+Dd-".indexOf(mode) < 0) {
            out.line("CLIENT_ERROR invalid mode for ma M token");
            return;
        }
        Change counter =
                new Change.Counter(
                        "Ii+".indexOf(mode) >= 0,
                        request.unsigned('D', 1),
                        request.has('N'),
                        request.unsigned('J', 0),
                        request.has('N') ? client.expiry(request.number('N', 0)) : Change.KEEP);
        Status status = client.change(request.key, request.unsigned('C', 0), counter, null);
        if (status == Status.SUCCESS && request.has('T')) {
            Change touch = new Change.Touch(client.expiry(request.number('T', 0)));
            status = client.change(request.key, 0, touch, null);
        }
        if (status == Status.SUCCESS && request.has('v') && !request.has('q')) {
            byte[] number = client.session().newValue();
            out.put("VA ").putDigits(number.length);
            putFlags(request, number.length, out);
            out.line("");
            out.put(number).line("");
            return;
        }
        String word =
                switch (status) {
                    case SUCCESS -> "HD";
                    case EXISTS -> "EX";
                    case NOT_FOUND -> "NF";
                    default -> null;
                };
        if (status == Status.NOT_A_NUMBER) {
            out.line("CLIENT_ERROR cannot increment or decrement non-numeric value");
        } else {
            answer(request, word, status, 0, out);
        }
    }

    /// `me`: metadata of the entry, for people.
    private void debug(Request request, Output out) {
        BucketSession session = client.session();
        Status status = client.look(request.key);
        if (status != Status.SUCCESS) {
            out.line(status == Status.NOT_FOUND ? "EN" : TextProtocol.error(status));
            return;
        }
        out.put("ME ").put(request.keyAsGiven).put(" exp=");
        if (session.expiresAtMicros() == Change.NEVER) {
            out.put("-1");
        } else {
            long left = session.expiresAtMicros() - client.server().buckets().nowMicros();
            out.putDigits(Math.max(0, left / 1_000_000));
        }
        out.put(" cas=").putDigits(session.cas());
        out.put(" size=").putDigits(session.value().length()).line("");
        session.release();
    }
}

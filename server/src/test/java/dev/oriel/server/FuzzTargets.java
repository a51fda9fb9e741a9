package dev.oriel.server;

import dev.oriel.Database;
import dev.oriel.kv.Codec;
import dev.oriel.kv.JsonEdit;
import dev.oriel.kv.JsonEdit.Operation;
import dev.oriel.kv.Status;
import dev.oriel.store.UsageException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The decoders as functions of bytes, for whatever makes the bytes: [FuzzTest] with seeds of its own, and
/// Jazzer, which looks at what code they reach ([JazzerTest]). Each ends with an exception where a decoder
/// throws one, goes on for ever, answers what is no answer, or keeps more than it was sent.
final class FuzzTargets {
    /// So many inputs work on one database, so that what they store does not pile up.
    private static final int INPUTS_PER_DATABASE = 20_000;

    private static final int VALUE_BYTES_MAX = 4_096;
    private static final int STEPS_MAX = 20_000;
    private static final byte[] NONE = {};

    private static @Nullable Database database;
    private static @Nullable OrielServer server;
    private static int inputs;

    private FuzzTargets() {}

    /// A decoder by the name that it is asked for with.
    enum Target {
        TEXT,
        BINARY,
        COUCHBASE,
        HTTP,
        LOGIN,
        SCRAM,
        JSON;

        void run(byte[] input) {
            switch (this) {
                case TEXT -> text(input);
                case BINARY -> binary(input, Listener.MEMCACHED);
                case COUCHBASE -> binary(input, Listener.COUCHBASE);
                case HTTP -> http(input);
                case LOGIN -> login(input);
                case SCRAM -> scram(input);
                case JSON -> json(input);
            }
        }
    }

    /// Begins what takes long to begin.
    static void begin() {
        server();
    }

    private static OrielServer server() {
        OrielServer running = server;
        if (running == null || ++inputs > INPUTS_PER_DATABASE) {
            close();
            Database fresh = Database.inMemory();
            fresh.bucket("shop$sales$orders");
            ServerOptions options =
                    ServerOptions.defaults()
                            .withPorts(-1, -1, -1)
                            .withUsers(Map.of("u", "p"))
                            .withValueBytesMax(VALUE_BYTES_MAX);
            running = OrielServer.start(fresh, options, new ServerLog(null));
            database = fresh;
            server = running;
            inputs = 0;
        }
        return running;
    }

    /// Ends the server and checks what is left in its database.
    static void close() {
        OrielServer running = server;
        Database open = database;
        server = null;
        database = null;
        if (running != null && open != null) {
            running.close();
            List<String> wrong = open.check().stream().map(String::valueOf).toList();
            open.close();
            demand(wrong.isEmpty(), "the database is damaged: " + wrong);
        }
    }

    private static void demand(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static Client client(OrielServer running, Listener listener, boolean known) {
        Client client = new Client(running, listener, new Peer("", true));
        Account account = running.accounts().of("u");
        if (known && account != null) {
            client.login(account, "test");
        }
        return client;
    }

    /// The first byte says in which pieces the others come, and whether the client has logged in.
    private static byte[] run(Protocol protocol, byte[] bytes) {
        Input in = new Input();
        Output out = new Output();
        int pieceMax = 1 + (bytes[0] & 0x3F) * 8;
        StringBuilder said = new StringBuilder();
        int at = 1;
        int steps = 0;
        Protocol.Outcome outcome = Protocol.Outcome.WAITING;
        while (at < bytes.length && outcome != Protocol.Outcome.CLOSE) {
            int piece = Math.min(bytes.length - at, pieceMax);
            in.add(Unpooled.copiedBuffer(bytes, at, piece));
            at += piece;
            boolean mayBlock = (bytes[0] & 0x40) != 0;
            do {
                outcome = protocol.run(in, out, mayBlock);
                mayBlock |= outcome == Protocol.Outcome.MAY_BLOCK;
                ByteBuf some = out.take(UnpooledByteBufAllocator.DEFAULT, Integer.MAX_VALUE);
                if (some != null) {
                    said.append(some.toString(StandardCharsets.ISO_8859_1));
                    some.release();
                }
                demand(++steps < STEPS_MAX, "it goes on for ever");
            } while (outcome == Protocol.Outcome.FULL || outcome == Protocol.Outcome.MAY_BLOCK);
        }
        demand(in.bytes().length <= Math.max(4_096, 4 * bytes.length), "more is kept than came");
        protocol.close();
        return said.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void text(byte[] input) {
        if (input.length == 0) {
            return;
        }
        Client client = client(server(), Listener.MEMCACHED, input[0] >= 0);
        byte[] answers = run(new TextProtocol(client), input);
        boolean whole =
                answers.length == 0
                        || (answers[answers.length - 1] == '\n'
                                && answers[Math.max(0, answers.length - 2)] == '\r');
        demand(whole, "an answer does not end");
    }

    private static void binary(byte[] input, Listener listener) {
        if (input.length == 0) {
            return;
        }
        Client client = client(server(), listener, input[0] >= 0);
        if (listener == Listener.COUCHBASE) {
            client.select("default");
        }
        byte[] answers = run(new BinaryProtocol(client), input);
        int at = 0;
        while (at < answers.length) {
            demand(answers.length - at >= Request.HEADER_BYTES, "a header is cut");
            demand((answers[at] & 0xFF) == 0x81, "no magic at " + at);
            int status = (answers[at + 6] & 0xFF) << 8 | (answers[at + 7] & 0xFF);
            demand(Status.of(status) != Status.UNKNOWN, "the status " + status);
            int keyLength = (answers[at + 2] & 0xFF) << 8 | (answers[at + 3] & 0xFF);
            int extrasLength = answers[at + 4] & 0xFF;
            int body = 0;
            for (int i = 8; i < 12; i++) {
                body = body << 8 | (answers[at + i] & 0xFF);
            }
            demand(body >= keyLength + extrasLength, "the lengths of an answer");
            at += Request.HEADER_BYTES + body;
        }
        demand(at == answers.length, "an answer is cut");
    }

    private static void http(byte[] input) {
        if (input.length == 0) {
            return;
        }
        OrielServer running = server();
        byte[] answers =
                run(
                        new HttpProtocol(new Client(running, Listener.HTTP, new Peer("", true))),
                        input);
        String said = new String(answers, StandardCharsets.ISO_8859_1);
        demand(said.isEmpty() || said.startsWith("HTTP/1.1 "), said);
        inputs += 10; // each may make a table
    }

    /// A whole exchange of SASL: parts of the input, each in a request.
    private static void login(byte[] input) {
        Client client = new Client(server(), Listener.COUCHBASE, new Peer("", true));
        BinaryProtocol protocol = new BinaryProtocol(client);
        String[] mechanisms = {"PLAIN", "SCRAM-SHA1", "SCRAM-SHA256", "SCRAM-SHA512", "X"};
        int at = 0;
        while (at + 2 <= input.length) {
            int choice = input[at] & 0xFF;
            int length = Math.min(input[at + 1] & 0xFF, input.length - at - 2);
            byte[] message = Arrays.copyOfRange(input, at + 2, at + 2 + length);
            at += 2 + length;
            int opcode = choice < 128 ? Opcode.SASL_AUTH : Opcode.SASL_STEP;
            String mechanism = mechanisms[choice % mechanisms.length];
            Input in = new Input();
            Output out = new Output();
            in.add(Unpooled.wrappedBuffer(Wire.request(opcode, 0, 0, NONE, mechanism, message)));
            protocol.run(in, out, true);
            ByteBuf answer = out.take(UnpooledByteBufAllocator.DEFAULT, Integer.MAX_VALUE);
            demand(answer != null && answer.readableBytes() >= Request.HEADER_BYTES, "no answer");
            if (answer != null) {
                answer.release();
            }
        }
        boolean right = new String(input, StandardCharsets.ISO_8859_1).contains("u\0p");
        demand(client.isStranger() || right, "a stranger was let in");
        protocol.close();
    }

    /// Two messages, divided by a line feed.
    private static void scram(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        int cut = Math.max(0, text.indexOf('\n'));
        Scram scram = Scram.of("SCRAM-SHA256", server().accounts());
        demand(scram != null, "no SCRAM");
        if (scram != null && scram.first(text.substring(0, cut)) != null) {
            String last = text.substring(cut).strip();
            demand(scram.last(last) == null, "a proof that was made before the question");
        }
    }

    /// Which operation, a path, a value and a document, divided by zeros.
    private static void json(byte[] input) {
        if (input.length == 0) {
            return;
        }
        String text = new String(input, 1, input.length - 1, StandardCharsets.UTF_8);
        String[] parts = text.split("\0", 3);
        if (parts.length < 3) {
            return;
        }
        Operation[] operations = Operation.values();
        Operation operation = operations[(input[0] & 0x7F) % operations.length];
        byte[] value = parts[1].getBytes(StandardCharsets.UTF_8);
        byte[] document = parts[2].getBytes(StandardCharsets.UTF_8);
        JsonEdit edit = new JsonEdit(operation, parts[0], value, input[0] < 0);
        var bucket = server().buckets().bucket("json");
        bucket.upsert("d", document);
        if (!operation.changes()) {
            bucket.lookupIn("d", List.of(edit));
            return;
        }
        List<JsonEdit.Outcome> outcomes =
                bucket.mutateIn("d", List.of(edit), dev.oriel.kv.WriteOptions.none());
        byte[] after = bucket.get("d");
        demand(outcomes != null && after != null, "the document is gone");
        if (outcomes == null || after == null) {
            return;
        }
        if (outcomes.getFirst().status() != Status.SUCCESS) {
            demand(Arrays.equals(document, after), "a failed edit has changed something");
            return;
        }
        try {
            Object read = Codec.json().decode(after);
            Object again = Codec.json().decode(Codec.json().encode(read));
            demand(read.equals(again), "what was written is not what was read");
        } catch (UsageException wrong) {
            boolean isNull = new String(after, StandardCharsets.UTF_8).strip().equals("null");
            demand(isNull, "an edit has left no JSON: " + wrong.getMessage());
        }
    }
}

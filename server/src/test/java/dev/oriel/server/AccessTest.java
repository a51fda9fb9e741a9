package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.kv.Bucket;
import dev.oriel.kv.Codec;
import dev.oriel.kv.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Every command of every protocol, sent by everybody: strangers, users without a right, readers, writers
/// and admins. The commands come from the tables that the protocols work by, so one that is new fails here
/// until its rule and an example of it are written down.
final class AccessTest {
    @RegisterExtension final Served served = new Served();

    private static final byte[] NONE = {};

    /// Who asks; `may` is what he may do with the bucket.
    private enum Who {
        STRANGER(null),
        NOBODY(null),
        READER(Role.READ),
        WRITER(Role.WRITE),
        ADMIN(Role.ADMIN);

        private final @Nullable Role may;

        Who(@Nullable Role may) {
            this.may = may;
        }

        /// SUCCESS, or how the command is refused.
        Status expected(Access access) {
            if (access == Access.ANYBODY) {
                return Status.SUCCESS;
            }
            if (this == STRANGER) {
                return Status.AUTH_ERROR;
            }
            Role needed = access.role();
            boolean allowed = needed == null || (may != null && may.covers(needed));
            return allowed ? Status.SUCCESS : Status.ACCESS_DENIED;
        }
    }

    @SuppressWarnings("NullAway.Init") // set before each test
    private OrielServer server;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Bucket<String> bucket;

    @BeforeEach
    void serve() throws SQLException {
        Users users = users();
        users.add(Who.READER.name(), "secret", Map.of());
        try (Connection connection = served.database.connect();
                Statement statement = connection.createStatement()) {
            for (Who who : Who.values()) {
                Role may = who.may;
                if (who != Who.STRANGER
                        && who != Who.READER) { // the same password: to make it takes long
                    statement.execute(
                            "INSERT INTO server_user SELECT '"
                                    + who
                                    + "', scram_sha1, scram_sha256, scram_sha512"
                                    + " FROM server_user WHERE name = 'READER'");
                }
                if (may != null) {
                    users.grant(who.name(), "default", may);
                }
            }
        }
        server = served.start(ServerOptions.defaults().withPorts(-1, -1, 0));
        bucket = served.database.bucket("default", Codec.text());
        bucket.upsert("k", "1");
    }

    private Client client(Who who, Listener listener) {
        Client client = new Client(server, listener, new Peer("", true));
        Account account = server.accounts().of(who.name());
        if (account != null) {
            client.login(account, "test");
        }
        return client;
    }

    private static byte[] run(Protocol protocol, byte[] bytes) {
        Input in = new Input();
        Output out = new Output();
        in.add(Unpooled.copiedBuffer(bytes));
        protocol.run(in, out, true);
        protocol.close();
        ByteBuf answers = out.take(UnpooledByteBufAllocator.DEFAULT, Integer.MAX_VALUE);
        if (answers == null) {
            return NONE;
        }
        byte[] all = new byte[answers.readableBytes()];
        answers.readBytes(all);
        answers.release();
        return all;
    }

    // The binary protocol, and what Couchbase's clients add to it.

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] path(int length) {
        return new byte[] {0, (byte) length, 0};
    }

    /// A request that is in order, of each operation.
    private static Map<Integer, byte[]> examples() {
        Map<Integer, byte[]> all = new HashMap<>();
        byte[] flagsAndExpiry = new byte[8];
        byte[] counter = ByteBuffer.allocate(20).putLong(1).array();
        byte[] expiry = {0, 0, 14, 16};
        int[] withKey = {
            Opcode.GET, Opcode.GETQ, Opcode.GETK, Opcode.GETKQ, Opcode.DELETE, Opcode.GET_META
        };
        for (int opcode : withKey) {
            all.put(opcode, Wire.request(opcode, 0, 0, NONE, "k", NONE));
        }
        for (int opcode :
                new int[] {Opcode.SET, Opcode.ADD, Opcode.REPLACE, Opcode.SETQ, 0x12, 0x13}) {
            all.put(opcode, Wire.request(opcode, 0, 0, flagsAndExpiry, "k", bytes("2")));
        }
        for (int opcode : new int[] {Opcode.APPEND, Opcode.PREPEND, 0x19, Opcode.PREPENDQ}) {
            all.put(opcode, Wire.request(opcode, 0, 0, NONE, "k", bytes("2")));
        }
        for (int opcode : new int[] {Opcode.INCREMENT, Opcode.DECREMENT, 0x15, 0x16}) {
            all.put(opcode, Wire.request(opcode, 0, 0, counter, "k", NONE));
        }
        for (int opcode :
                new int[] {
                    Opcode.TOUCH,
                    Opcode.GAT,
                    Opcode.GATQ,
                    Opcode.GATK,
                    Opcode.GATKQ,
                    Opcode.GET_LOCKED
                }) {
            all.put(opcode, Wire.request(opcode, 0, 0, expiry, "k", NONE));
        }
        for (int opcode :
                new int[] {
                    Opcode.QUIT,
                    0x17,
                    Opcode.FLUSH,
                    0x18,
                    Opcode.NOOP,
                    Opcode.VERSION,
                    Opcode.STAT,
                    Opcode.HELLO,
                    Opcode.ERROR_MAP,
                    Opcode.SASL_LIST,
                    Opcode.LIST_BUCKETS,
                    Opcode.CLUSTER_CONFIG,
                    Opcode.COLLECTIONS_MANIFEST
                }) {
            all.put(opcode, Wire.request(opcode, 0, 0, NONE, "", NONE));
        }
        all.put(0x14, Wire.request(0x14, 0, 0, NONE, "k", NONE)); // DELETEQ
        all.put(Opcode.VERBOSITY, Wire.request(Opcode.VERBOSITY, 0, 0, new byte[4], "", NONE));
        all.put(Opcode.UNLOCK, Wire.request(Opcode.UNLOCK, 0, 77, NONE, "k", NONE));
        all.put(
                Opcode.SELECT_BUCKET,
                Wire.request(Opcode.SELECT_BUCKET, 0, 0, NONE, "default", NONE));
        byte[] collection = bytes("_default._default");
        all.put(
                Opcode.COLLECTION_ID,
                Wire.request(Opcode.COLLECTION_ID, 0, 0, NONE, "", collection));
        all.put(Opcode.SCOPE_ID, Wire.request(Opcode.SCOPE_ID, 0, 0, NONE, "", collection));
        for (int opcode = Opcode.PATH_GET; opcode <= Opcode.PATH_COUNTER; opcode++) {
            all.put(opcode, Wire.request(opcode, 0, 0, path(1), "k", bytes("n5")));
        }
        all.put(Opcode.PATH_COUNT, Wire.request(Opcode.PATH_COUNT, 0, 0, path(1), "k", bytes("n")));
        all.put(
                Opcode.MULTI_LOOKUP,
                Wire.request(Opcode.MULTI_LOOKUP, 0, 0, NONE, "k", new byte[4]));
        byte[] upsert = {(byte) 0xc8, 0, 0, 1, 0, 0, 0, 1, 'n', '5'};
        all.put(
                Opcode.MULTI_MUTATION,
                Wire.request(Opcode.MULTI_MUTATION, 0, 0, NONE, "k", upsert));
        for (int opcode : new int[] {Opcode.SASL_AUTH, Opcode.SASL_STEP}) {
            byte[] first = bytes("n,,n=READER,r=abc");
            all.put(opcode, Wire.request(opcode, 0, 0, NONE, "SCRAM-SHA256", first));
        }
        return all;
    }

    @Test
    void everyOperationHasARuleAndAnExample() throws Exception {
        Set<Integer> named = new TreeSet<>();
        for (Field field : Opcode.class.getDeclaredFields()) {
            if (field.getType() == int.class) {
                int opcode = field.getInt(null);
                named.add(opcode);
                assertNotNull(Opcode.access(opcode), field.getName() + " has no rule");
            }
        }
        Set<Integer> ruled = new TreeSet<>();
        for (int opcode = 0; opcode < 256; opcode++) {
            if (Opcode.access(opcode) != null) {
                ruled.add(opcode);
                int loud = Opcode.loud(opcode);
                assertTrue(named.contains(loud), "no name for " + Integer.toHexString(loud));
            }
        }
        assertEquals(ruled, new TreeSet<>(examples().keySet()));
    }

    @Test
    void everyOperationOfTheBinaryProtocolIsDoneForThoseWhoMay() {
        Map<Integer, byte[]> examples = examples();
        int refused = 0;
        for (int opcode = 0; opcode < 256; opcode++) {
            byte[] unknown = Wire.request(opcode, 0, 0, NONE, "k", NONE);
            byte[] request = examples.getOrDefault(opcode, unknown);
            Access access = Opcode.access(opcode);
            for (Who who : Who.values()) {
                for (Listener listener : new Listener[] {Listener.MEMCACHED, Listener.COUCHBASE}) {
                    String before = bucket.get("k");
                    Status expected = who.expected(access == null ? Access.USER : access);
                    Status status = send(who, listener, request);
                    String what = who + " 0x" + Integer.toHexString(opcode) + " " + status;
                    if (expected == Status.SUCCESS) {
                        assertFalse(isRefusal(who, listener, opcode, status), what);
                        assertEquals(access == null, status == Status.UNKNOWN_COMMAND, what);
                    } else {
                        refused++;
                        boolean chose = listener == Listener.MEMCACHED || who != Who.NOBODY;
                        assertEquals(chose ? expected : Status.NO_BUCKET, status, what);
                        assertEquals(before, bucket.get("k"), what);
                    }
                    if (opcode == Opcode.GET_LOCKED) {
                        served.database.buckets().clear("default"); // and the lock with it
                    }
                    bucket.upsert("k", "1");
                }
            }
        }
        assertTrue(refused > 300, refused + " refused");
    }

    private static boolean isRefusal(Who who, Listener listener, int opcode, Status status) {
        if (opcode == Opcode.SASL_STEP) {
            return status != Status.AUTH_ERROR; // there is nothing that it could go on with
        }
        if (opcode == Opcode.SELECT_BUCKET && who == Who.NOBODY) {
            return status != Status.ACCESS_DENIED; // no bucket is his
        }
        boolean without = listener == Listener.COUCHBASE && who.may == null;
        return status == Status.AUTH_ERROR
                || status == Status.ACCESS_DENIED
                || (status == Status.NO_BUCKET && !without);
    }

    /// The status of the answer; SUCCESS where a quiet operation says nothing.
    private Status send(Who who, Listener listener, byte[] request) {
        Client client = client(who, listener);
        if (listener == Listener.COUCHBASE) {
            Status chosen = client.isStranger() ? Status.AUTH_ERROR : client.select("default");
            assertEquals(who.may != null, chosen == Status.SUCCESS);
        }
        byte[] answers = run(new BinaryProtocol(client), request);
        return answers.length == 0
                ? Status.SUCCESS
                : Status.of((answers[6] & 0xFF) << 8 | (answers[7] & 0xFF));
    }

    // The text protocol, with the meta commands.

    private static Map<String, String> lines() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("get", "get k");
        all.put("gets", "gets k");
        all.put("gat", "gat 60 k");
        all.put("gats", "gats 60 k");
        for (String name : new String[] {"set", "add", "replace", "append", "prepend"}) {
            all.put(name, name + " k 0 0 1\r\n2");
        }
        all.put("cas", "cas k 0 0 1 0\r\n2");
        all.put("delete", "delete k");
        all.put("incr", "incr k 1");
        all.put("decr", "decr k 1");
        all.put("touch", "touch k 60");
        all.put("flush_all", "flush_all");
        all.put("version", "version");
        all.put("verbosity", "verbosity 1");
        all.put("stats", "stats");
        all.put("shutdown", "shutdown");
        all.put("quit", "quit");
        all.put("mg", "mg k v");
        all.put("ms", "ms k 1\r\n2");
        all.put("md", "md k");
        all.put("ma", "ma k");
        all.put("mn", "mn");
        all.put("me", "me k");
        return all;
    }

    @Test
    void everyCommandOfTheTextProtocolsIsDoneForThoseWhoMay() {
        assertEquals(TextProtocol.ACCESS.keySet(), lines().keySet());
        lines().forEach((name, line) -> check(line, TextProtocol.ACCESS.get(name)));
        for (String line : new String[] {"mg k T30", "mg z N30", "mg k v R30", "md k I"}) {
            check(line, Access.WRITE);
        }
        check("nonsense k", Access.USER);
    }

    private void check(String line, @Nullable Access access) {
        assertNotNull(access);
        for (Who who : Who.values()) {
            String before = bucket.get("k");
            byte[] answer =
                    run(new TextProtocol(client(who, Listener.MEMCACHED)), bytes(line + "\r\n"));
            String said = new String(answer, StandardCharsets.UTF_8);
            String what = who + ": " + line + " -> " + said;
            Status expected = who.expected(access);
            if (expected == Status.SUCCESS) {
                assertFalse(said.contains("denied") || said.contains("unauthenticated"), what);
            } else {
                if (who == Who.STRANGER && line.startsWith("set ")) {
                    assertEquals("CLIENT_ERROR authentication failure\r\n", said);
                } else {
                    String refusal =
                            expected == Status.AUTH_ERROR
                                    ? "CLIENT_ERROR unauthenticated\r\n"
                                    : "CLIENT_ERROR access denied\r\n";
                    assertTrue(said.startsWith(refusal), what);
                }
                assertEquals(before, bucket.get("k"), what);
            }
            bucket.upsert("k", "1");
        }
    }

    @Test
    void whoMayOnlyReadSeesWhatIsStaleAndDoesNotWinIt() {
        run(new TextProtocol(client(Who.WRITER, Listener.MEMCACHED)), bytes("md k I\r\n"));
        String seen = text(Who.READER, "mg k v\r\n");
        assertEquals("VA 1 X\r\n1\r\n", seen);
        assertEquals("VA 1 X W\r\n1\r\n", text(Who.WRITER, "mg k v\r\n"));
    }

    private String text(Who who, String line) {
        return new String(
                run(new TextProtocol(client(who, Listener.MEMCACHED)), bytes(line)),
                StandardCharsets.UTF_8);
    }

    @Test
    void theServersOwnCountersAreForItsAdmins() {
        assertEquals("CLIENT_ERROR access denied\r\n", text(Who.ADMIN, "stats reset\r\n"));
        users().add("root", "secret", Map.of(User.ALL_BUCKETS, Role.ADMIN));
        Client root = new Client(server, Listener.MEMCACHED, new Peer("", true));
        Account account = server.accounts().of("root");
        assertNotNull(account);
        root.login(account, "test");
        byte[] answer = run(new TextProtocol(root), bytes("stats reset\r\n"));
        assertEquals("RESET\r\n", new String(answer, StandardCharsets.UTF_8));
    }

    private Users users() {
        return Users.of(served.database);
    }

    @Test
    void rolesAreOfBucketsAndTheirCollections() {
        served.database.bucket("other").upsert("k", bytes("1"));
        served.database.bucket("default$s$c").upsert("k", bytes("1"));
        served.database.bucket("other$s$c").upsert("k", bytes("1"));
        users().grant(Who.WRITER.name(), "other", Role.READ);
        Client client = client(Who.WRITER, Listener.COUCHBASE);
        assertEquals(Status.ACCESS_DENIED, client.select("third"));
        for (String name : new String[] {"other", "other$s$c", "default", "default$s$c"}) {
            assertEquals(Status.SUCCESS, client.select(name), name);
            boolean writes = name.startsWith("default");
            assertEquals(Status.SUCCESS, client.admit(Access.READ));
            assertEquals(
                    writes ? Status.SUCCESS : Status.ACCESS_DENIED, client.admit(Access.WRITE));
            assertEquals(Status.ACCESS_DENIED, client.admit(Access.ADMIN));
        }
        client.close();
    }

    @Test
    void passwordsAreNotShownToThoseWhoListen() {
        Client heard = new Client(server, Listener.MEMCACHED, new Peer("", false));
        byte[] plain = bytes("\0READER\0secret");
        byte[] request = Wire.request(Opcode.SASL_AUTH, 0, 0, NONE, "PLAIN", plain);
        byte[] answer = run(new BinaryProtocol(heard), request);
        assertEquals(Status.AUTH_ERROR.code(), answer[7]);
        byte[] list = Wire.request(Opcode.SASL_LIST, 0, 0, NONE, "", NONE);
        String offered =
                new String(run(new BinaryProtocol(heard), list), StandardCharsets.ISO_8859_1);
        assertTrue(offered.endsWith("SCRAM-SHA512 SCRAM-SHA256 SCRAM-SHA1"), offered);
        byte[] set = bytes("set x 0 0 13\r\nREADER secret\r\n");
        String said = new String(run(new TextProtocol(heard), set), StandardCharsets.UTF_8);
        assertEquals("CLIENT_ERROR authentication failure\r\n", said);
        assertTrue(heard.isStranger());
    }

    // HTTP.

    @Test
    void everyPathOfHttpIsAnsweredForThoseWhoMay() {
        String pool = "/pools/default";
        Map<String, Route> paths = new LinkedHashMap<>();
        paths.put("GET /health", Route.HEALTH);
        paths.put("GET /health/live", Route.HEALTH);
        paths.put("GET /health/ready", Route.HEALTH);
        paths.put("GET /metrics", Route.METRICS);
        paths.put("GET /pools", Route.POOLS);
        paths.put("GET /admin/status", Route.ADMIN);
        paths.put("GET /users", Route.USERS);
        paths.put("GET /users/x", Route.USERS);
        paths.put("GET " + pool + "/buckets/default", Route.BUCKET);
        paths.put("GET " + pool + "/b/default", Route.BUCKET);
        paths.put("GET " + pool + "/buckets", Route.BUCKETS);
        paths.put("POST " + pool + "/buckets", Route.BUCKET_CREATION);
        paths.put("DELETE " + pool + "/buckets/default", Route.BUCKET_DROP);
        paths.put("PUT " + pool + "/buckets/default", Route.BUCKET_OTHERWISE);
        paths.put("POST " + pool + "/buckets/default/controller/doFlush", Route.BUCKET_FLUSH);
        paths.put("POST " + pool + "/buckets/default/scopes", Route.SCOPE_CREATION);
        paths.put("DELETE " + pool + "/buckets/default/scopes/none", Route.SCOPE_DROP);
        paths.put("GET " + pool + "/buckets/default/other", Route.BUCKET_OTHERWISE);
        paths.put("GET " + pool + "/buckets/default/scopes", Route.SCOPES);
        paths.put("POST " + pool + "/buckets/default/scopes/s/collections", Route.COLLECTIONS);
        assertEquals(EnumSet.allOf(Route.class), EnumSet.copyOf(paths.values()));
        assertEquals(null, Route.of("GET", "/nothing"));
        check("GET /nothing", Access.USER, "404");
        paths.forEach((path, route) -> {
            String[] words = path.split(" ", -1);
            assertEquals(route, Route.of(words[0], words[1]), path);
            check(path, route.access(), "");
        });
        assertFalse(served.database.buckets().exists("default$s$cWRITER"));
        assertTrue(served.database.buckets().exists("default$s$cADMIN"));
    }

    private void check(String path, Access access, String otherwise) {
        for (Who who : Who.values()) {
            String basic = Base64.getEncoder().encodeToString(bytes(who.name() + ":secret"));
            String login = who == Who.STRANGER ? "" : "Authorization: Basic " + basic + "\r\n";
            String body = "name=c" + who;
            String request =
                    "%s HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n%s"
                            .formatted(path, login, body.length(), body);
            Client client = new Client(server, Listener.HTTP, new Peer("", true));
            String said =
                    new String(
                            run(new HttpProtocol(client), bytes(request)), StandardCharsets.UTF_8);
            String status = said.substring(9, 12);
            Status expected =
                    access == Access.SERVER && who != Who.STRANGER
                            ? Status.ACCESS_DENIED // who is admin of one bucket is not of the
                            // server
                            : who.expected(access);
            String what = who + " " + path + ": " + said;
            if (expected == Status.SUCCESS) {
                assertFalse(status.equals("401") || status.equals("403"), what);
                assertTrue(otherwise.isEmpty() || status.equals(otherwise), what);
            } else {
                assertEquals(expected == Status.AUTH_ERROR ? "401" : "403", status, what);
            }
        }
    }
}

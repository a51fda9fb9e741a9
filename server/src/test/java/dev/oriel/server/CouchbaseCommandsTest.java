package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.kv.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What Couchbase's clients send, byte by byte, without one.
final class CouchbaseCommandsTest {
    @RegisterExtension final Served served = new Served();

    private static final byte[] NONE = {};
    private static final byte[] FEATURES = {
        0, 0x08, 0, 0x0a, 0, 0x0b, 0, 0x10, 0, 0x11, 0, 0x12, 0, 0x14
    };

    @SuppressWarnings("NullAway.Init") // set before each test
    private OrielServer server;

    private int port;
    private int httpPort;

    @BeforeEach
    void serve() {
        served.database.bucket("shop$sales$orders");
        server =
                served.start(
                        ServerOptions.defaults()
                                .withPorts(-1, 0, 0)
                                .withBucket("shop")
                                .withUsers(Map.of("ada", "secret")));
        port = server.couchbasePort();
        httpPort = server.httpPort();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Wire.Response ask(Wire wire, int opcode, byte[] extras, String key, byte[] value)
            throws Exception {
        return wire.send(Wire.request(opcode, 0, 0, extras, key, value)).response();
    }

    private static void expect(Status status, Wire.Response response) {
        assertEquals(status, Status.of(response.status()), response.text());
    }

    /// Greets, logs in by SCRAM and chooses the bucket.
    private Wire connected() throws Exception {
        Wire wire = new Wire(port);
        Wire.Response hello = ask(wire, Opcode.HELLO, NONE, "{\"a\":\"test\"}", FEATURES);
        expect(Status.SUCCESS, hello);
        byte[] withoutSnappy = {0, 0x08, 0, 0x0b, 0, 0x10, 0, 0x11, 0, 0x12, 0, 0x14};
        assertArrayEquals(withoutSnappy, hello.value());
        expect(Status.SUCCESS, ask(wire, Opcode.ERROR_MAP, NONE, "", new byte[] {0, 2}));
        expect(Status.AUTH_ERROR, ask(wire, Opcode.SELECT_BUCKET, NONE, "shop", NONE));
        expect(Status.SUCCESS, login(wire, "secret"));
        expect(Status.SUCCESS, ask(wire, Opcode.CLUSTER_CONFIG, NONE, "", NONE));
        expect(Status.ACCESS_DENIED, ask(wire, Opcode.SELECT_BUCKET, NONE, "other", NONE));
        expect(Status.SUCCESS, ask(wire, Opcode.SELECT_BUCKET, NONE, "shop", NONE));
        return wire;
    }

    /// The client's side of RFC 5802, checking the server's signature.
    private static Wire.Response login(Wire wire, String password) throws Exception {
        String bare = "n=ada,r=clientNonce";
        Wire.Response first =
                ask(wire, Opcode.SASL_AUTH, NONE, "SCRAM-SHA512", bytes("n,," + bare));
        expect(Status.AUTH_CONTINUE, first);
        String challenge = first.text();
        String[] parts = challenge.split(",", -1);
        assertTrue(parts[0].startsWith("r=clientNonce"));
        byte[] salt = Base64.getDecoder().decode(parts[1].substring(2));
        int iterations = Integer.parseInt(parts[2].substring(2));
        byte[] salted =
                javax.crypto.SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512")
                        .generateSecret(
                                new javax.crypto.spec.PBEKeySpec(
                                        password.toCharArray(), salt, iterations, 512))
                        .getEncoded();
        String hash = "HmacSHA512";
        byte[] clientKey = Secret.hmac(hash, salted, bytes("Client Key"));
        String withoutProof = "c=biws," + parts[0];
        byte[] signed = bytes(bare + "," + challenge + "," + withoutProof);
        byte[] proof = Secret.hmac(hash, Scram.digest(hash, clientKey), signed);
        for (int i = 0; i < proof.length; i++) {
            proof[i] ^= clientKey[i];
        }
        String last = withoutProof + ",p=" + Base64.getEncoder().encodeToString(proof);
        Wire.Response answer = ask(wire, Opcode.SASL_STEP, NONE, "SCRAM-SHA512", bytes(last));
        if (answer.status() == Status.SUCCESS.code()) {
            byte[] serverKey = Secret.hmac(hash, salted, bytes("Server Key"));
            String signature =
                    Base64.getEncoder().encodeToString(Secret.hmac(hash, serverKey, signed));
            assertEquals("v=" + signature, answer.text());
        }
        return answer;
    }

    @Test
    void aWrongPasswordProvesNothing() throws Exception {
        try (Wire wire = new Wire(port)) {
            expect(Status.AUTH_ERROR, login(wire, "Secret"));
            expect(Status.SUCCESS, login(wire, "secret"));
        }
    }

    @Test
    void theMapOfTheClusterNamesThisNodeAndItsPorts() throws Exception {
        try (Wire wire = connected()) {
            String map = ask(wire, Opcode.CLUSTER_CONFIG, NONE, "", NONE).text();
            assertTrue(map.startsWith("{\"rev\":"), map);
            assertTrue(
                    map.contains("\"services\":{\"kv\":" + port + ",\"mgmt\":" + httpPort + "}"));
            assertEquals(1_024, map.split("\\[0\\]", -1).length - 1);
        }
        try (Wire http = new Wire(httpPort)) {
            String login = Base64.getEncoder().encodeToString(bytes("ada:secret"));
            http.send(
                    "GET /pools/default/buckets/shop HTTP/1.1\r\nHost: here:1\r\nAuthorization:"
                            + " Basic "
                            + login
                            + "\r\nConnection: close\r\n\r\n");
            String answer = http.all();
            assertTrue(answer.contains("\"status\":\"healthy\""), answer);
            assertTrue(answer.contains("\"hostname\":\"here:" + httpPort + "\""), answer);
        }
    }

    /// The SDKs that stand on Couchbase's C++ library ask for it over TLS before they choose a bucket.
    @Test
    void theMapOfTheClusterIsThereWithoutABucket() throws Exception {
        try (Wire wire = new Wire(port)) {
            expect(Status.SUCCESS, ask(wire, Opcode.HELLO, NONE, "", FEATURES));
            expect(Status.AUTH_ERROR, ask(wire, Opcode.CLUSTER_CONFIG, NONE, "", NONE));
            expect(Status.SUCCESS, login(wire, "secret"));
            Wire.Response answer = ask(wire, Opcode.CLUSTER_CONFIG, NONE, "", NONE);
            expect(Status.SUCCESS, answer);
            String map = answer.text();
            assertTrue(
                    map.contains("\"services\":{\"kv\":" + port + ",\"mgmt\":" + httpPort + "}"),
                    map);
            assertFalse(map.contains("\"name\""), map);
        }
    }

    private String http(String line, String form) throws Exception {
        String login = Base64.getEncoder().encodeToString(bytes("ada:secret"));
        try (Wire http = new Wire(httpPort)) {
            String answer =
                    http.send(
                                    "%s HTTP/1.1\r\nAuthorization: Basic %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
                                            .formatted(line, login, form.length(), form))
                            .all();
            return answer.substring(9, 12) + answer.substring(answer.indexOf("\r\n\r\n") + 4);
        }
    }

    @Test
    void scopesAndCollectionsAreMadeAndDropped() throws Exception {
        String scopes = "/pools/default/buckets/shop/scopes";
        assertTrue(http("POST " + scopes, "name=s").startsWith("200"));
        assertTrue(http("POST " + scopes, "name=s").contains("already exists"));
        assertTrue(http("POST " + scopes, "name=_s").startsWith("400"));
        assertTrue(
                http("GET " + scopes, "").contains("{\"name\":\"s\",\"uid\":"),
                "an empty scope is there");
        assertFalse(http("GET " + scopes, "").contains(Manifest.SCOPE_MARK));
        assertTrue(http("POST " + scopes + "/s/collections", "name=c").startsWith("200"));
        try (Wire wire = connected()) {
            Wire.Response found = ask(wire, Opcode.COLLECTION_ID, NONE, "", bytes("s.c"));
            String key = (char) ByteBuffer.wrap(found.extras()).getInt(8) + "k";
            expect(Status.SUCCESS, ask(wire, Opcode.SET, new byte[8], key, bytes("1")));
            assertTrue(http("DELETE " + scopes + "/s/collections/c", "").startsWith("200"));
            expect(Status.UNKNOWN_COLLECTION, ask(wire, Opcode.GET, NONE, key, NONE));
            expect(Status.UNKNOWN_SCOPE, ask(wire, Opcode.COLLECTION_ID, NONE, "", bytes("s.c")));
        }
        assertEquals(
                "404{\"error\":\"Collection with name \\\"c\\\" is not found\"}",
                http("DELETE " + scopes + "/s/collections/c", ""));
        assertTrue(http("POST " + scopes, "name=s").contains("already exists"), "the scope stays");
        assertTrue(http("DELETE " + scopes + "/s", "").startsWith("200"));
        assertTrue(http("DELETE " + scopes + "/s", "").startsWith("404"));
        assertTrue(http("DELETE " + scopes + "/_default", "").startsWith("400"));
    }

    @Test
    void bucketsAreMadeListedFlushedAndDropped() throws Exception {
        String buckets = "/pools/default/buckets";
        assertTrue(http("POST " + buckets, "name=made").startsWith("202"));
        assertTrue(http("POST " + buckets, "name=made").contains("already exists"));
        assertTrue(http("POST " + buckets, "name=a$b").startsWith("400"));
        String all = http("GET " + buckets, "");
        assertTrue(all.startsWith("200[{") && all.endsWith("}]"), all);
        assertTrue(all.contains("\"name\":\"made\"") && all.contains("\"name\":\"shop\""), all);
        assertFalse(all.contains("orders"), "collections are no buckets");
        served.database.bucket("made").upsert("k", bytes("1"));
        served.database.bucket("made$s$c").upsert("k", bytes("1"));
        assertTrue(http("POST " + buckets + "/made/controller/doFlush", "").startsWith("200"));
        assertFalse(served.database.bucket("made").exists("k"));
        assertFalse(served.database.bucket("made$s$c").exists("k"));
        assertTrue(http("POST " + buckets + "/made", "ramQuota=1").startsWith("405"));
        assertTrue(http("DELETE " + buckets + "/made", "").startsWith("200"));
        assertFalse(served.database.buckets().exists("made$s$c"));
        assertTrue(http("DELETE " + buckets + "/made", "").startsWith("404"));
        assertTrue(http("DELETE " + buckets + "/shop", "").startsWith("405"));
    }

    @Test
    void aChangeOfALockedEntryIsRefusedAtOnce() throws Exception {
        try (Wire wire = connected()) {
            expect(Status.SUCCESS, ask(wire, Opcode.SET, new byte[8], "\0k", bytes("1")));
            byte[] seconds = {0, 0, 0, 20};
            Wire.Response held = ask(wire, Opcode.GET_LOCKED, seconds, "\0k", NONE);
            expect(Status.SUCCESS, held);
            expect(Status.EXISTS, ask(wire, Opcode.SET, new byte[8], "\0k", bytes("2")));
            expect(Status.EXISTS, ask(wire, Opcode.DELETE, NONE, "\0k", NONE));
            expect(Status.LOCKED, ask(wire, Opcode.GET_LOCKED, seconds, "\0k", NONE));
        }
    }

    /// Clients share sessions on buckets.
    @Test
    void aMissingEntryDoesNotHaveTheNumberOfAnothersLock() throws Exception {
        try (Wire one = connected();
                Wire two = connected()) {
            expect(Status.SUCCESS, ask(one, Opcode.SET, new byte[8], "\0k", bytes("1")));
            Wire.Response held = ask(one, Opcode.GET_LOCKED, NONE, "\0k", NONE);
            expect(Status.SUCCESS, held);
            assertTrue(held.cas() != 0);
            byte[] path = {0, 1, 0};
            Wire.Response missing = ask(two, Opcode.PATH_GET, path, "\0none", bytes("n"));
            expect(Status.NOT_FOUND, missing);
            assertEquals(0, missing.cas());
        }
    }

    @Test
    void aSilentConnectionHasNoSessionOnACollection() throws Exception {
        try (Wire wire = connected()) {
            Wire.Response found = ask(wire, Opcode.COLLECTION_ID, NONE, "", bytes("sales.orders"));
            String orders = (char) ByteBuffer.wrap(found.extras()).getInt(8) + "k";
            expect(Status.SUCCESS, ask(wire, Opcode.SET, new byte[8], orders, bytes("order")));
            assertEquals(1, server.sessions().idle("shop$sales$orders"));
        }
    }

    @Test
    void aCollectionOfTheBucketThatWasChosenBeforeIsUnknown() throws Exception {
        served.database.bucket("third");
        try (Wire wire = connected()) {
            Wire.Response found = ask(wire, Opcode.COLLECTION_ID, NONE, "", bytes("sales.orders"));
            int id = ByteBuffer.wrap(found.extras()).getInt(8);
            assertTrue(id < 0x80, "it takes more than a byte");
            String orders = (char) id + "k";
            expect(Status.SUCCESS, ask(wire, Opcode.SET, new byte[8], orders, bytes("order")));
            expect(Status.SUCCESS, ask(wire, Opcode.SELECT_BUCKET, NONE, "third", NONE));
            expect(Status.UNKNOWN_COLLECTION, ask(wire, Opcode.GET, NONE, orders, NONE));
            expect(
                    Status.UNKNOWN_COLLECTION,
                    ask(wire, Opcode.SET, new byte[8], orders, bytes("changed")));
            expect(Status.SUCCESS, ask(wire, Opcode.SELECT_BUCKET, NONE, "shop", NONE));
            Wire.Response order = ask(wire, Opcode.GET, NONE, orders, NONE);
            expect(Status.SUCCESS, order);
            assertEquals("order", order.text());
        }
    }

    /// Who never asks for an entry of the bucket itself.
    @Test
    void entriesOfACollectionAreReadWhereTheRequestCameIn() {
        Client client = new Client(server, Listener.COUCHBASE, new Peer("", true));
        client.login(Objects.requireNonNull(server.accounts().of("ada")), "test");
        assertEquals(Status.SUCCESS, client.select("shop"));
        BinaryProtocol protocol = new BinaryProtocol(client);
        int id = Manifest.id(server, "shop", "sales", "orders");
        String orders = (char) id + "k";
        Input in = new Input();
        Output out = new Output();
        byte[] features = {0, 0x12};
        in.add(request(Opcode.HELLO, NONE, "", features));
        in.add(request(Opcode.SET, new byte[8], orders, bytes("order")));
        assertEquals(Protocol.Outcome.WAITING, protocol.run(in, out, true));
        in.add(request(Opcode.GET, NONE, orders, NONE));
        assertEquals(Protocol.Outcome.WAITING, protocol.run(in, out, false));
        protocol.close();
    }

    private static ByteBuf request(int opcode, byte[] extras, String key, byte[] value) {
        return Unpooled.wrappedBuffer(Wire.request(opcode, 0, 0, extras, key, value));
    }

    @Test
    void aCollectionHasEntriesOfItsOwn() throws Exception {
        try (Wire wire = connected()) {
            Wire.Response found = ask(wire, Opcode.COLLECTION_ID, NONE, "", bytes("sales.orders"));
            expect(Status.SUCCESS, found);
            int id = ByteBuffer.wrap(found.extras()).getInt(8);
            assertTrue(id >= 8);
            for (String unknown : List.of("sales.none", "Sales.none")) { // SDKs wait otherwise
                expect(
                        Status.UNKNOWN_SCOPE,
                        ask(wire, Opcode.COLLECTION_ID, NONE, "", bytes(unknown)));
            }
            expect(
                    Status.UNKNOWN_SCOPE,
                    ask(wire, Opcode.COLLECTION_ID, NONE, "", bytes("none.none")));
            byte[] extras = new byte[8];
            String orders = (char) id + "k";
            expect(Status.SUCCESS, ask(wire, Opcode.SET, extras, orders, bytes("order")));
            expect(Status.SUCCESS, ask(wire, Opcode.SET, extras, "\0k", bytes("own")));
            assertEquals("order", ask(wire, Opcode.GET, NONE, orders, NONE).text());
            assertEquals("own", ask(wire, Opcode.GET, NONE, "\0k", NONE).text());
            expect(Status.UNKNOWN_COLLECTION, ask(wire, Opcode.GET, NONE, "pk", NONE));
            String manifest = ask(wire, Opcode.COLLECTIONS_MANIFEST, NONE, "", NONE).text();
            assertTrue(manifest.contains("{\"name\":\"orders\",\"uid\":"), manifest);
        }
    }

    @Test
    void framesSayHowDurableAndWhetherTheExpiryStays() throws Exception {
        try (Wire wire = connected()) {
            byte[] level = {0x13, 0x03, 0x08, (byte) 0xca};
            byte[] set = Wire.request(Opcode.SET, 0, 0, new byte[8], "\0k", bytes("v"));
            expect(Status.SUCCESS, wire.send(framed(set, level)).response());
            byte[] barrier = {0x00}; // everything keeps its order here
            expect(Status.SUCCESS, wire.send(framed(set, barrier)).response());
            byte[] unknown = {0x60};
            expect(Status.INVALID, wire.send(framed(set, unknown)).response());
            byte[] hour = {0, 0, 0, 0, 0, 0, 14, 16};
            expect(Status.SUCCESS, ask(wire, Opcode.SET, hour, "\0k", bytes("v")));
            expect(Status.SUCCESS, wire.send(framed(set, new byte[] {0x50})).response());
            Wire.Response meta = ask(wire, Opcode.GET_META, new byte[] {2}, "\0k", NONE);
            assertEquals(21, meta.extras().length);
            assertTrue(ByteBuffer.wrap(meta.extras()).getInt(8) > 0, "the expiry stayed");
            expect(Status.SUCCESS, ask(wire, Opcode.SET, new byte[8], "\0k", bytes("v")));
            meta = ask(wire, Opcode.GET_META, new byte[] {2}, "\0k", NONE);
            assertEquals(0, ByteBuffer.wrap(meta.extras()).getInt(8));
        }
    }

    /// The request with frames: another magic, and a byte of the key's length for theirs.
    private static byte[] framed(byte[] request, byte[] frames) {
        ByteBuffer framed = ByteBuffer.allocate(request.length + frames.length);
        framed.put(request, 0, Request.HEADER_BYTES).put(frames);
        framed.put(request, Request.HEADER_BYTES, request.length - Request.HEADER_BYTES);
        framed.put(0, (byte) 0x08).put(2, (byte) frames.length);
        framed.putInt(8, framed.getInt(8) + frames.length);
        return framed.array();
    }

    @Test
    void severalPathsAreReadAndChangedAtOnce() throws Exception {
        try (Wire wire = connected()) {
            byte[] json = bytes("{\"a\":{\"b\":[1,2]},\"n\":1}");
            expect(Status.SUCCESS, ask(wire, Opcode.SET, new byte[8], "\0k", json));
            ByteArrayOutputStream looks = new ByteArrayOutputStream();
            look(looks, 0xc5, "a.b[1]");
            look(looks, 0xc6, "x");
            look(looks, 0xd2, "a.b");
            Wire.Response seen = ask(wire, Opcode.MULTI_LOOKUP, NONE, "\0k", looks.toByteArray());
            expect(Status.MULTI_PATH_FAILURE, seen);
            byte[] expected = {
                0, 0, 0, 0, 0, 1, '2', 0, (byte) 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, '2'
            };
            assertArrayEquals(expected, seen.value());
            ByteArrayOutputStream changes = new ByteArrayOutputStream();
            change(changes, 0xc8, "x.y", "true");
            change(changes, 0xcf, "n", "4");
            Wire.Response changed =
                    ask(wire, Opcode.MULTI_MUTATION, NONE, "\0k", changes.toByteArray());
            expect(Status.SUCCESS, changed);
            assertArrayEquals(new byte[] {1, 0, 0, 0, 0, 0, 1, '5'}, changed.value());
            assertEquals(
                    "{\"a\":{\"b\":[1,2]},\"n\":5,\"x\":{\"y\":true}}",
                    ask(wire, Opcode.GET, NONE, "\0k", NONE).text());
            change(changes, 0xca, "q", "1");
            Wire.Response refused =
                    ask(wire, Opcode.MULTI_MUTATION, NONE, "\0k", changes.toByteArray());
            expect(Status.MULTI_PATH_FAILURE, refused);
            assertArrayEquals(new byte[] {2, 0, (byte) 0xc0}, refused.value());
            assertTrue(ask(wire, Opcode.GET, NONE, "\0k", NONE).text().contains("\"n\":5"));
            byte[] path = {0, 1, 0};
            assertEquals("5", ask(wire, Opcode.PATH_GET, path, "\0k", bytes("n")).text());
        }
    }

    @Test
    void aChangeOfPathsKeepsTheExpiryWhereItSaysSo() throws Exception {
        byte[] hour = {0, 0, 0, 0, 0, 0, 14, 16};
        byte[] keep = {0x50};
        ByteArrayOutputStream changes = new ByteArrayOutputStream();
        change(changes, 0xc8, "n", "1");
        byte[] several = changes.toByteArray();
        byte[] path = {0, 1, 0};
        try (Wire wire = connected()) {
            for (byte[] change :
                    new byte[][] {
                        Wire.request(Opcode.MULTI_MUTATION, 0, 0, NONE, "\0k", several),
                        Wire.request(Opcode.PATH_UPSERT, 0, 0, path, "\0k", bytes("n1"))
                    }) {
                expect(Status.SUCCESS, ask(wire, Opcode.SET, hour, "\0k", bytes("{}")));
                expect(Status.SUCCESS, wire.send(framed(change, keep)).response());
                assertTrue(expiry(wire) > 0, "the expiry stayed");
                expect(Status.SUCCESS, wire.send(change).response());
                assertEquals(0, expiry(wire));
            }
        }
    }

    /// Of the entry `k`, in seconds since 1970; 0 for never.
    private static int expiry(Wire wire) throws Exception {
        Wire.Response meta = ask(wire, Opcode.GET_META, new byte[] {2}, "\0k", NONE);
        return ByteBuffer.wrap(meta.extras()).getInt(8);
    }

    private static void look(ByteArrayOutputStream to, int opcode, String path) {
        to.write(opcode);
        to.write(0);
        to.write(0);
        to.write(path.length());
        to.writeBytes(bytes(path));
    }

    private static void change(ByteArrayOutputStream to, int opcode, String path, String value) {
        to.write(opcode);
        to.write(1); // makes what is missing on the way
        to.write(0);
        to.write(path.length());
        to.writeBytes(new byte[] {0, 0, 0, (byte) value.length()});
        to.writeBytes(bytes(path));
        to.writeBytes(bytes(value));
    }
}

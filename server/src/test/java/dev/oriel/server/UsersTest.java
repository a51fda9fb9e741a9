package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.UsageException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Users that the database keeps: what is written of them, and what a server makes of changes.
final class UsersTest {
    @RegisterExtension final Served served = new Served();

    private static final ServerOptions ANY = ServerOptions.defaults().withPorts(0, -1, -1);

    private Users users() {
        return Users.of(served.database);
    }

    private static void login(Wire wire, String name, String password) throws Exception {
        String both = name + " " + password;
        wire.send("set x 0 0 " + both.length() + "\r\n" + both + "\r\n");
        assertEquals("STORED\r\n", wire.line());
    }

    @Test
    void whatIsAddedGrantedAndRevokedIsListed() {
        Users users = users();
        assertEquals(List.of(), users.list());
        users.add("ben", "one", Map.of());
        users.add("ada", "two", Map.of("Orders", Role.READ, User.ALL_BUCKETS, Role.WRITE));
        users.grant("ben", "orders", Role.WRITE);
        users.grant("ben", "ORDERS", Role.ADMIN);
        assertEquals(
                List.of(
                        new User("ada", Map.of("orders", Role.READ, "*", Role.WRITE)),
                        new User("ben", Map.of("orders", Role.ADMIN))),
                users.list());
        assertTrue(users.revoke("ben", "Orders"));
        assertFalse(users.revoke("ben", "orders"));
        users.drop("ada");
        assertEquals(List.of(new User("ben", Map.of())), users.list());
    }

    @Test
    void aCollectionBelongsToItsBucket() {
        User user = new User("a", Map.of("shop", Role.READ, "*", Role.ADMIN));
        assertEquals(Role.READ, user.role("shop$scope$items"));
        assertEquals(Role.READ, user.role("SHOP"));
        assertEquals(Role.ADMIN, user.role("shop2"));
        assertEquals(null, new User("b", Map.of("shop", Role.READ)).role("shop2"));
    }

    @Test
    void whatCannotBeIsSaid() {
        Users users = users();
        assertEquals(
                "There is no user of that name: name=ada",
                assertThrows(UsageException.class, () -> users.drop("ada")).getMessage());
        users.add("ada", "two", Map.of());
        assertEquals(
                "There is a user of that name; set a password, or drop the user first: name=ada",
                assertThrows(UsageException.class, () -> users.add("ada", "x", Map.of()))
                        .getMessage());
        assertThrows(UsageException.class, () -> users.add("a:b", "x", Map.of()));
        assertThrows(UsageException.class, () -> users.add("c", "", Map.of()));
        assertThrows(UsageException.class, () -> users.grant("nobody", "*", Role.READ));
        assertEquals(1, users.list().size());
    }

    @Test
    void noPasswordIsKept() throws Exception {
        users().add("ada", "correct horse", Map.of());
        try (Connection connection = served.database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT * FROM server_user")) {
            assertTrue(row.next());
            for (int i = 2; i <= 4; i++) {
                assertTrue(row.getString(i).matches("15000:\\S+\\$\\S+:\\S+"), row.getString(i));
            }
        }
        String hash = "HmacSHA512";
        String kept = users().kept().getFirst().secrets().get(hash);
        Secret secret = Secret.parse(Objects.requireNonNull(kept));
        assertTrue(secret.matches("correct horse", hash));
        assertFalse(secret.matches("correct horsE", hash));
        assertEquals("Secret", secret.toString());
    }

    @Test
    void rolesSayWhatIsDone() throws Exception {
        users().add("reader", "r", Map.of("default", Role.READ));
        users().add("writer", "w", Map.of("default", Role.WRITE));
        users().add("admin", "a", Map.of(User.ALL_BUCKETS, Role.ADMIN));
        users().add("other", "o", Map.of("elsewhere", Role.ADMIN));
        int port = served.start(ANY).memcachedPort();
        try (Wire reader = new Wire(port);
                Wire writer = new Wire(port);
                Wire admin = new Wire(port);
                Wire other = new Wire(port)) {
            assertEquals("CLIENT_ERROR unauthenticated\r\n", reader.send("get a\r\n").line());
            login(reader, "reader", "r");
            login(writer, "writer", "w");
            login(admin, "admin", "a");
            login(other, "other", "o");
            String denied = "CLIENT_ERROR access denied\r\n";
            assertEquals(denied, reader.send("set a 0 0 1\r\n1\r\n").line());
            assertEquals("STORED\r\n", writer.send("set a 0 0 1\r\n1\r\n").line());
            assertEquals("VALUE a 0 1\r\n1\r\nEND\r\n", reader.ask("get a\r\n"));
            assertEquals(denied, other.send("get a\r\n").line());
            assertEquals(denied, writer.send("flush_all\r\n").line());
            assertEquals("OK\r\n", admin.send("flush_all\r\n").line());
            assertEquals("END\r\n", reader.ask("get a\r\n"));
        }
    }

    @Test
    void changesCountForWhoIsConnected() throws Exception {
        users().add("ada", "a", Map.of("default", Role.READ));
        OrielServer server = served.start(ANY);
        try (Wire wire = new Wire(server.memcachedPort())) {
            login(wire, "ada", "a");
            String denied = "CLIENT_ERROR access denied\r\n";
            assertEquals(denied, wire.send("set a 0 0 1\r\n1\r\n").line());
            users().grant("ada", "default", Role.WRITE);
            assertEquals("STORED\r\n", wire.send("set a 0 0 1\r\n1\r\n").line());
            users().revoke("ada", "default");
            assertEquals(denied, wire.send("get a\r\n").line());
            users().password("ada", "b");
            String stranger = "CLIENT_ERROR unauthenticated\r\n";
            assertEquals(stranger, wire.send("get a\r\n").line());
            login(wire, "ada", "b");
            assertEquals(denied, wire.send("get a\r\n").line());
            users().drop("ada");
            users().add("ben", "c", Map.of());
            assertEquals(stranger, wire.send("get a\r\n").line());
        }
    }

    @Test
    void whatSqlChangesCountsSoonAfter() throws Exception {
        users().add("ada", "a", Map.of("default", Role.READ));
        OrielServer server = served.start(ANY);
        try (Wire wire = new Wire(server.memcachedPort());
                Connection connection = served.database.connect();
                Statement statement = connection.createStatement()) {
            login(wire, "ada", "a");
            statement.execute("UPDATE server_right SET role = 'WRITE'");
            String answer = "";
            long begun = System.nanoTime();
            while (!answer.equals("STORED\r\n") && System.nanoTime() - begun < 60_000_000_000L) {
                answer = wire.send("set a 0 0 1\r\n1\r\n").line();
            }
            assertEquals("STORED\r\n", answer);
        }
    }

    @Test
    void aRowThatCannotBeReadStopsNobodyElsesChanges() throws Exception {
        users().add("ada", "a", Map.of("default", Role.READ));
        users().add("ben", "b", Map.of("default", Role.READ));
        OrielServer server = served.start(ANY);
        try (Wire wire = new Wire(server.memcachedPort());
                Wire ben = new Wire(server.memcachedPort());
                Connection connection = served.database.connect();
                Statement statement = connection.createStatement()) {
            login(wire, "ada", "a");
            login(ben, "ben", "b");
            statement.execute("INSERT INTO server_right VALUES ('ada', 'other', 'king')");
            statement.execute("UPDATE server_right SET role = 'write' WHERE bucket = 'default'");
            server.lookForChanges();
            assertEquals("STORED\r\n", wire.send("set a 0 0 1\r\n1\r\n").line());
            statement.execute("UPDATE server_user SET scram_sha1 = 'x' WHERE name = 'ada'");
            statement.execute("DELETE FROM server_right WHERE user_name = 'ben'");
            server.lookForChanges();
            assertEquals("CLIENT_ERROR unauthenticated\r\n", wire.send("get a\r\n").line());
            assertEquals("CLIENT_ERROR access denied\r\n", ben.send("get a\r\n").line());
        }
    }

    @Test
    void aUserThatCannotBeReadOpensNothing() throws Exception {
        users().add("ada", "a", Map.of());
        try (Connection connection = served.database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE server_user SET scram_sha1 = 'x'");
        }
        try (Wire wire = new Wire(served.start(ANY).memcachedPort())) {
            assertEquals("CLIENT_ERROR unauthenticated\r\n", wire.send("get a\r\n").line());
        }
    }

    @Test
    void theFirstUserEndsTheOpenHouse() throws Exception {
        OrielServer server = served.start(ANY);
        try (Wire wire = new Wire(server.memcachedPort())) {
            assertEquals("END\r\n", wire.ask("get a\r\n"));
            server.users().add("ada", "a", Map.of());
            assertEquals("CLIENT_ERROR unauthenticated\r\n", wire.send("get a\r\n").line());
        }
    }

    private static String http(int port, String method, String path, String user, String body)
            throws Exception {
        String basic = Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
        try (Wire wire = new Wire(port)) {
            wire.send(
                    method
                            + " "
                            + path
                            + " HTTP/1.1\r\nAuthorization: Basic "
                            + basic
                            + "\r\nConnection: close\r\nContent-Length: "
                            + body.length()
                            + "\r\n\r\n"
                            + body);
            String answer = wire.all();
            return answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length())
                    + answer.substring(answer.indexOf("\r\n\r\n") + 4);
        }
    }

    @Test
    void anAdminOfAllBucketsChangesUsersOverHttp() throws Exception {
        users().add("root", "r", Map.of("*", Role.ADMIN));
        users().add("half", "h", Map.of("default", Role.ADMIN));
        OrielServer server = served.start(ANY.withPorts(0, -1, 0));
        int port = server.httpPort();
        assertTrue(http(port, "GET", "/users", "half:h", "").startsWith("403"));
        assertTrue(http(port, "PUT", "/users/evil", "half:h", "password=x").startsWith("403"));
        assertTrue(http(port, "GET", "/users", "root:wrong", "").startsWith("401"));
        String form = "password=p%26word&rights=default=write,other=READ";
        assertEquals("200{}", http(port, "PUT", "/users/ada%20b", "root:r", form));
        assertEquals(
                "200[{\"name\":\"ada b\",\"rights\":{\"default\":\"write\",\"other\":\"read\"}},"
                        + "{\"name\":\"half\",\"rights\":{\"default\":\"admin\"}},"
                        + "{\"name\":\"root\",\"rights\":{\"*\":\"admin\"}}]",
                http(port, "GET", "/users", "root:r", ""));
        assertTrue(http(port, "GET", "/pools", "ada b:p&word", "").startsWith("200"));
        assertEquals("200{}", http(port, "PUT", "/users/ada%20b", "root:r", "rights=other=admin"));
        assertEquals(
                Map.of("other", Role.ADMIN),
                users().list().stream()
                        .filter(user -> user.name().equals("ada b"))
                        .findFirst()
                        .orElseThrow()
                        .rights());
        assertEquals("200{}", http(port, "DELETE", "/users/ada%20b", "root:r", ""));
        assertTrue(http(port, "DELETE", "/users/ada%20b", "root:r", "").startsWith("400"));
        assertTrue(
                http(port, "PUT", "/users/x", "root:r", "password=y&rights=a").startsWith("400"));
        assertTrue(http(port, "POST", "/users/x", "root:r", "").startsWith("405"));
        assertEquals(2, users().list().size());
    }
}

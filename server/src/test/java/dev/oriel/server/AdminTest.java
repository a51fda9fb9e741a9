package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.store.LimitException;
import io.netty.channel.Channel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What admins see and do while the server runs.
final class AdminTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path socket;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Database database;

    @SuppressWarnings("NullAway.Init") // set before each test
    private OrielServer server;

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    @BeforeEach
    void serve() {
        socket = folder.resolve("s");
        database = Database.open(folder.resolve("db"));
        PrintStream lines = new PrintStream(log, true, StandardCharsets.UTF_8);
        server = OrielServer.start(database, options(), new ServerLog(lines));
    }

    private ServerOptions options() {
        return ServerOptions.defaults()
                .withPorts(0, -1, 0)
                .withUsers(Map.of("ada", "secret"))
                .withAdmin(
                        AdminOptions.NONE
                                .withSocket(socket, true)
                                .withBackupFolder(folder.resolve("copies")));
    }

    @AfterEach
    void end() {
        server.close();
        assertEquals(List.of(), database.check());
        database.close();
        assertFalse(Files.exists(socket), "the socket goes with the server");
    }

    private static String request(String line, String headers, String form) {
        return "%s HTTP/1.1\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s"
                .formatted(line, headers, form.length(), form);
    }

    /// Through the socket.
    private String ask(String line, String form) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            String text = request(line, "Accept: text/tab-separated-values\r\n", form);
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            ByteBuffer in = ByteBuffer.allocate(8 << 10);
            while (channel.read(in) >= 0) {
                all.write(in.array(), 0, in.position());
                in.clear();
            }
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    private String sql(String sql) throws IOException {
        String form = "sql=" + URLEncoder.encode(sql, StandardCharsets.UTF_8);
        String answer = ask("POST /admin/sql", form);
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    private String http(String line, String headers, String form) throws IOException {
        try (Wire wire = new Wire(server.httpPort())) {
            return wire.send(request(line, headers, form)).all();
        }
    }

    private static String login() {
        byte[] both = "ada:secret".getBytes(StandardCharsets.UTF_8);
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(both) + "\r\n";
    }

    @Test
    void theSocketIsItsOwnersAlone() throws Exception {
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
        String status = ask("GET /admin/status", "");
        assertTrue(status.startsWith("HTTP/1.1 200 "), status);
        assertTrue(status.contains("\nversion\t" + ProductVersion.number() + "\n"), status);
    }

    /// The database could not be closed in order while a query runs.
    @Test
    void theEndOfTheServerCancelsQuestions() throws Exception {
        String endless =
                "SELECT COUNT(*) FROM generate_series(1, 100000) a(x), generate_series(1, 100000) b(y)"
                        + " WHERE (x + y) % 7 = 3";
        AtomicReference<String> answer = new AtomicReference<>("");
        Thread asking =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                answer.set(sql(endless));
                            } catch (IOException e) { // closed by the end of the server
                                answer.set(e.toString());
                            }
                        });
        String running =
                "SELECT COUNT(*) AS n FROM sys.sessions WHERE LOWER(statement) LIKE 'select count(%series%'"
                        + " AND state <> 'idle'";
        while (!sql(running).equals("n\n1\n")) {
            assertEquals("", answer.get(), "still asked");
        }
        long begun = System.nanoTime();
        server.close();
        database.close();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        assertTrue(millis < 5_000, millis + " ms");
        asking.join();
        assertTrue(answer.get().contains("57014") || answer.get().isEmpty(), answer.get());
        database = Database.open(folder.resolve("db"));
        assertTrue(database.recovery().clean());
    }

    @Test
    void changesByAdminsAreLogged() throws Exception {
        assertTrue(
                http("PUT /users/eve", login(), "password=secret&rights=*=admin")
                        .startsWith("HTTP/1.1 200 "));
        assertTrue(http("POST /admin/slow", login(), "from_ms=7").startsWith("HTTP/1.1 200 "));
        assertTrue(http("POST /admin/log", login(), "level=warn").startsWith("HTTP/1.1 200 "));
        assertTrue(http("POST /admin/log", login(), "level=error").startsWith("HTTP/1.1 200 "));
        assertTrue(http("POST /admin/log", login(), "level=info").startsWith("HTTP/1.1 200 "));
        assertTrue(http("DELETE /users/eve", login(), "").startsWith("HTTP/1.1 200 "));
        String said = log.toString(StandardCharsets.UTF_8);
        for (String line :
                List.of(
                        "\"A user was set\",\"user\":\"eve\",\"by\":\"ada\"",
                        "\"Operations count as slow from here\",\"ms\":\"7\",\"by\":\"ada\"",
                        "\"The log has another level\",\"level\":\"WARN\",\"by\":\"ada\"",
                        "\"The log has another level\",\"level\":\"ERROR\",\"by\":\"ada\"",
                        "\"The log has another level\",\"level\":\"INFO\",\"by\":\"ada\"",
                        "\"A user was dropped\",\"user\":\"eve\",\"by\":\"ada\"")) {
            assertTrue(said.contains(line), () -> line + " in " + said);
        }
        assertFalse(said.contains("secret"), said);
    }

    @Test
    void aSocketThatAnotherServerListensAtIsNotTakenOver() throws Exception {
        try (Database other = Database.inMemory()) {
            LimitException taken =
                    assertThrows(
                            LimitException.class,
                            () -> OrielServer.start(other, options(), new ServerLog(null)).close());
            assertTrue(String.valueOf(taken.getCause()).contains("Another server listens there"));
        }
        assertTrue(ask("GET /admin/status", "").startsWith("HTTP/1.1 200 "));
    }

    @Test
    void oneThatADeadServerHasLeftIsReplaced() throws Exception {
        Path left = folder.resolve("left");
        try (var dead = java.nio.channels.ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(left));
        }
        AdminOptions there = AdminOptions.NONE.withSocket(left, true);
        try (Database other = Database.inMemory();
                OrielServer second =
                        OrielServer.start(
                                other,
                                ServerOptions.defaults().withPorts(0, -1, -1).withAdmin(there),
                                new ServerLog(null))) {
            assertEquals(0, second.connectionCount());
            assertTrue(Files.exists(left));
        }
        Path file = Files.writeString(folder.resolve("file"), "kept");
        AdminOptions wrong = AdminOptions.NONE.withSocket(file, true);
        try (Database other = Database.inMemory()) {
            assertThrows(
                    LimitException.class,
                    () ->
                            OrielServer.start(
                                            other,
                                            ServerOptions.defaults()
                                                    .withPorts(0, -1, -1)
                                                    .withAdmin(wrong),
                                            new ServerLog(null))
                                    .close());
        }
        assertEquals("kept", Files.readString(file));
    }

    @Test
    void theSocketIsAPartOfHealthAndOutlivesFailuresToAccept() throws Exception {
        String up = "\"admin\":{\"status\":\"up\"}";
        try (Wire probe = new Wire(server.httpPort())) {
            assertTrue(probe.http("/health/ready").contains(up), probe.http("/health/ready"));
            Channel accepting = Objects.requireNonNull(server.listening(Listener.ADMIN));
            accepting.pipeline().fireExceptionCaught(new IOException("Too many open files"));
            String down = "\"admin\":{\"status\":\"down\",\"error\":\"Too many open files\"}";
            long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            String health = probe.http("/health/ready");
            while (!health.contains(down)) {
                assertTrue(System.nanoTime() < deadline, health);
                health = probe.http("/health/ready");
            }
            assertTrue(ask("GET /admin/status", "").startsWith("HTTP/1.1 200 "));
            assertEquals(1, server.metrics().acceptFailures.sum());
        }
    }

    @Test
    void overHttpAdminsAloneAreAnswered() throws Exception {
        assertTrue(http("GET /admin/status", "", "").startsWith("HTTP/1.1 401 "));
        assertTrue(http("GET /admin/status", login(), "").startsWith("HTTP/1.1 200 "));
        for (String page : List.of("Origin: http://evil\r\n", "Sec-Fetch-Site: cross-site\r\n")) {
            String said = http("POST /admin/check", login() + page, "");
            assertTrue(said.startsWith("HTTP/1.1 403 "), said);
        }
        server.users().add("till", "secret", Map.of("default", Role.ADMIN));
        byte[] till = "till:secret".getBytes(StandardCharsets.UTF_8);
        String other = "Authorization: Basic " + Base64.getEncoder().encodeToString(till) + "\r\n";
        assertTrue(http("GET /admin/status", other, "").startsWith("HTTP/1.1 403 "));
    }

    @Test
    void whereEverybodyMayDoEverythingHttpIsNotTheAdmins() throws Exception {
        server.close();
        server = OrielServer.start(database, options().withUsers(Map.of()), new ServerLog(null));
        assertTrue(http("GET /admin/status", "", "").startsWith("HTTP/1.1 403 "));
        assertTrue(ask("GET /admin/status", "").startsWith("HTTP/1.1 200 "));
    }

    @Test
    void connectionsAreShownAndClosed() throws Exception {
        try (Wire wire = new Wire(server.memcachedPort())) {
            wire.send("set x 0 0 10\r\nada secret\r\n");
            assertEquals("STORED\r\n", wire.line());
            assertEquals("END\r\n", wire.ask("get a\r\n"));
            Pattern idle =
                    Pattern.compile(
                            "(\\d+)\tmemcached\t127.0.0.1\tada\tdefault\t\\d+\t\\d+\tfalse"
                                    + "\t\\d+\t\\d+\tmn\n");
            String rows = ask("GET /admin/connections", "");
            Matcher mine = idle.matcher(rows);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!mine.find()) { // a client has its answer before the connection is idle again
                assertTrue(System.nanoTime() < end, rows);
                Thread.sleep(1);
                rows = ask("GET /admin/connections", "");
                mine = idle.matcher(rows);
            }
            String said = ask("POST /admin/disconnect", "id=" + mine.group(1));
            assertTrue(said.startsWith("HTTP/1.1 200 "), said);
            assertTrue(wire.isOver());
        }
        assertTrue(ask("POST /admin/disconnect", "id=999999").startsWith("HTTP/1.1 404 "));
    }

    @Test
    void slowOperationsAreKeptWithTheirKeys() throws Exception {
        assertTrue(ask("POST /admin/slow", "from_ms=0").startsWith("HTTP/1.1 200 "));
        try (Wire wire = new Wire(server.memcachedPort())) {
            wire.send("set x 0 0 10\r\nada secret\r\n");
            assertEquals("STORED\r\n", wire.line());
            assertEquals("STORED\r\n", wire.ask("set some-key 0 0 1\r\n1\r\n"));
        }
        String rows = ask("GET /admin/slow", "");
        assertTrue(rows.contains("\ttext\tset\tsome-key\t127.0.0.1\tada\n"), rows);
        assertFalse(rows.contains("secret"), rows);
        for (int i = 0; i < 300; i++) {
            ask("GET /health", "");
        }
        assertEquals(256, server.slow().newest().size());
        assertTrue(server.slow().count() > 300);
    }

    @Test
    void sqlIsForReading() throws Exception {
        assertEquals("a\n1\n\\N\n", sql("SELECT a FROM (VALUES (1), (NULL)) t(a)"));
        assertTrue(sql("SELECT * FROM sys.sessions").contains("sys.sessions"));
        for (String change :
                List.of(
                        "CREATE TABLE t (a INT)",
                        "DELETE FROM bucket_default",
                        "COPY (SELECT 1) TO 'x.csv'",
                        "EXPLAIN ANALYZE DELETE FROM bucket_default",
                        "SELECT 1; DELETE FROM bucket_default",
                        "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE")) {
            assertTrue(sql(change).startsWith("{\"error\":"), change + ": " + sql(change));
        }
        assertTrue(sql("CALL sys.configure('slow_statement_ms', '7')").contains("\t7\n"));
        assertEquals(
                "a\n1\n2\n",
                ask("POST /admin/sql?rows=2", "sql=SELECT+a+FROM+(VALUES+(1),(2),(3))+t(a)")
                        .split("\r\n\r\n", -1)[1]);
    }

    @Test
    void furtherRowsAreSaid() throws Exception {
        String three = "sql=SELECT+a+FROM+(VALUES+(1),(2),(3))+t(a)";
        assertTrue(ask("POST /admin/sql?rows=2", three).contains("\r\nOriel-More-Rows: true\r\n"));
        assertFalse(ask("POST /admin/sql?rows=3", three).contains("Oriel-More-Rows"));
    }

    /// Whether it goes through the socket or over HTTP: nobody waits for its answer.
    @Test
    void aQueryEndsWithItsClient() throws Exception {
        String endless =
                "SELECT COUNT(*) FROM generate_series(1, 100000) a(x), generate_series(1, 100000) b(y)"
                        + " WHERE (x + y) % 7 = 3";
        String form = "sql=" + URLEncoder.encode(endless, StandardCharsets.UTF_8);
        String running =
                "SELECT COUNT(*) AS n FROM sys.sessions WHERE LOWER(statement) LIKE 'select count(%series%'"
                        + " AND state <> 'idle'";
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            String text = request("POST /admin/sql", "", form);
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            awaitAnswer("n\n1\n", running);
        }
        awaitAnswer("n\n0\n", running);
        try (Wire wire = new Wire(server.httpPort())) {
            wire.send(request("POST /admin/sql", login(), form));
            awaitAnswer("n\n1\n", running);
        }
        awaitAnswer("n\n0\n", running);
    }

    /// A cancellation before the execution has no effect, so it is repeated.
    @Test
    void aQueryEndsWithAClientThatGoesAtOnce() throws Exception {
        String endless =
                "SELECT COUNT(*) FROM generate_series(1, 100000) a(x), generate_series(1, 100000) b(y)"
                        + " WHERE (x + y) % 7 = 3";
        String form = "sql=" + URLEncoder.encode(endless, StandardCharsets.UTF_8);
        int clients = 20;
        for (int i = 0; i < clients; i++) {
            try (Wire wire = new Wire(server.httpPort())) {
                wire.send(request("POST /admin/sql", login(), form));
            }
        }
        Latencies.Command command = server.latencies().ofRoute(Route.of("POST", "/admin/sql"));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (count(command) < clients) {
            assertTrue(System.nanoTime() < end, count(command) + " queries have ended");
            Thread.onSpinWait();
        }
    }

    private static long count(Latencies.Command command) {
        long all = 0;
        for (int at = 0; at <= Latencies.BOUNDS_NANOS.length; at++) {
            all += command.count(at);
        }
        return all;
    }

    private void awaitAnswer(String wanted, String query) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        String answer = sql(query);
        while (!answer.equals(wanted)) {
            assertTrue(System.nanoTime() < end, answer);
            answer = sql(query);
        }
    }

    @Test
    void aStatementIsCancelled() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Thread asking;
        StringBuilder state = new StringBuilder();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            asking =
                    Thread.ofPlatform()
                            .start(() -> {
                                begun.countDown();
                                try {
                                    statement
                                            .executeQuery(
                                                    "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL"
                                                            + " SELECT i + 1 FROM r WHERE i <"
                                                            + " 2000000000) SELECT COUNT(*) FROM"
                                                            + " r")
                                            .next();
                                } catch (SQLException e) {
                                    state.append(e.getSQLState());
                                }
                            });
            assertTrue(begun.await(1, TimeUnit.MINUTES));
            String session = "";
            while (session.isEmpty()) {
                Matcher found =
                        Pattern.compile("\n(\\d+)\n")
                                .matcher(
                                        sql(
                                                "SELECT session FROM sys.sessions WHERE statement"
                                                        + " LIKE 'WITH%' AND state <> 'idle'"));
                session = found.find() ? found.group(1) : "";
            }
            assertTrue(ask("POST /admin/cancel", "session=" + session).startsWith("HTTP/1.1 200 "));
            asking.join(120_000);
        }
        assertEquals("57014", state.toString());
    }

    @Test
    void backupsCanBeRestored() throws Exception {
        database.bucket("default").upsert("a", new byte[] {7});
        String said = http("POST /admin/backup", login(), "target=monday");
        assertTrue(said.startsWith("HTTP/1.1 200 "), said);
        BackupScheduleTest.await(server.jobs().all().getFirst());
        assertTrue(ask("GET /admin/jobs", "").contains("\tbackup\tdone\t"));
        Path copy = folder.resolve("restored");
        Database.restore(folder.resolve("copies/monday"), copy);
        try (Database restored = Database.open(copy)) {
            assertArrayEquals(new byte[] {7}, restored.bucket("default").get("a"));
        }
        for (String outside : List.of("../outside", folder.resolve("outside").toString(), ".")) {
            String refused = http("POST /admin/backup", login(), "target=" + outside);
            assertTrue(refused.startsWith("HTTP/1.1 403 "), refused);
        }
        assertFalse(Files.exists(folder.resolve("outside")));
    }

    @Test
    void checkAndCompactRunBesideOthers() throws Exception {
        for (String job : List.of("check", "compact")) {
            String said = ask("POST /admin/" + job, "");
            assertTrue(said.contains("\t" + job + "\t"), said);
            BackupScheduleTest.await(server.jobs().all().getFirst());
            assertEquals(Job.State.DONE, server.jobs().all().getFirst().state());
        }
        assertTrue(ask("POST /admin/jobs/cancel", "job=1").startsWith("HTTP/1.1 404 "));
    }

    @Test
    void aSecondJobIsRefusedUntilTheFirstHasEnded() throws Exception {
        byte[] value = new byte[1 << 20];
        for (int i = 0; i < 4; i++) {
            database.bucket("default").upsert("k" + i, value);
        }
        assertTrue(
                ask("POST /admin/backup", "rate=1&target=" + folder.resolve("slow"))
                        .startsWith("HTTP/1.1 200 "));
        String second = ask("POST /admin/check", "");
        assertTrue(second.startsWith("HTTP/1.1 409 Conflict"), second);
        assertTrue(ask("POST /admin/jobs/cancel", "job=1").startsWith("HTTP/1.1 200 "));
        Job job = server.jobs().all().getFirst();
        BackupScheduleTest.await(job);
        assertEquals(Job.State.CANCELLED, job.state());
        assertFalse(Files.exists(folder.resolve("slow/data")), "a copy that was cut off is gone");
    }

    @Test
    void theLevelOfTheLogChanges() throws Exception {
        assertTrue(ask("POST /admin/log", "level=error").endsWith("level\nerror\n"));
        assertEquals(ServerLog.Level.ERROR, server.log().level());
        assertTrue(ask("POST /admin/log", "level=loud").startsWith("HTTP/1.1 400 "));
    }

    @Test
    void aProfileIsAPage() throws Exception {
        String page = ask("POST /admin/profile", "seconds=1");
        assertTrue(page.startsWith("HTTP/1.1 200 OK\r\nContent-Type: text/html"), page);
        assertTrue(page.endsWith("</html>\n"), page.substring(page.length() - 20));
        assertTrue(ask("POST /admin/profile", "seconds=0").startsWith("HTTP/1.1 400 "));
    }

    @Test
    void theProgramSaysHowItIsStopped() throws Exception {
        assertTrue(ask("POST /admin/stop", "").startsWith("HTTP/1.1 405 "));
        CountDownLatch told = new CountDownLatch(1);
        server.onStop(told::countDown);
        assertTrue(ask("POST /admin/stop", "").endsWith("{\"stopping\":true}\n"));
        assertTrue(told.await(1, TimeUnit.MINUTES));
    }
}

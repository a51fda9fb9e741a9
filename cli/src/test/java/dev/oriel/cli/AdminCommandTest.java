package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.server.AdminOptions;
import dev.oriel.server.OrielServer;
import dev.oriel.server.ServerLog;
import dev.oriel.server.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `oriel admin` beside a server.
class AdminCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Database database;

    @SuppressWarnings("NullAway.Init") // set before each test
    private OrielServer server;

    @SuppressWarnings("NullAway.Init") // set before each test
    private String path;

    @BeforeEach
    void serve() {
        Path db = folder.resolve("db");
        path = db.toString();
        database = Database.open(db);
        server =
                OrielServer.start(
                        database,
                        ServerOptions.defaults()
                                .withPorts(0, -1, -1)
                                .withAdmin(
                                        AdminOptions.NONE.withSocket(
                                                db.resolve(AdminTarget.SOCKET), true)),
                        new ServerLog(null));
    }

    @AfterEach
    void end() {
        server.close();
        database.close();
    }

    private Run admin(String command, String... more) {
        String[] words = new String[3 + more.length];
        words[0] = "admin";
        words[1] = command;
        words[2] = path;
        System.arraycopy(more, 0, words, 3, more.length);
        return Run.oriel(folder, "", words);
    }

    private static void assertSays(String part, Run run) {
        assertTrue((run.out() + run.err()).contains(part), run.out() + run.err());
    }

    @Test
    void rowsAreShownInEveryFormat() {
        Run status = admin("status");
        assertSays("uptime_seconds", status);
        assertEquals(0, status.exitCode());
        assertSays("last_command", admin("connections"));
        Run csv =
                admin(
                        "sql",
                        "SELECT a, b FROM (VALUES (1, 'x' || CHR(9) || 'y'), (2, NULL)) t(a, b)",
                        "--format",
                        "csv");
        assertEquals("a,b\n1,x\ty\n2,\n", csv.out().replace("\r", ""), csv.err());
    }

    @Test
    void rowsThatAreLeftOutAreSaid() {
        Run cut = admin("sql", "SELECT n FROM generate_series(1, 1001) t(n)", "--format", "csv");
        assertEquals(1_001, cut.out().lines().count(), "the head and a thousand rows");
        assertSays("the query has more rows, and these are the first 1000; --rows COUNT", cut);
        Run whole = admin("sql", "SELECT n FROM generate_series(1, 1001) t(n)", "--rows", "1001");
        assertEquals("", whole.err());
    }

    @Test
    void errorsAreWords() {
        Run refused = admin("sql", "DROP TABLE bucket_default");
        assertEquals(1, refused.exitCode());
        assertEquals(
                "oriel: Queries are answered here, and CALL of procedures of sys\n", refused.err());
        server.close();
        Run gone = admin("status");
        assertEquals(1, gone.exitCode());
        assertSays("no server answers at", gone);
    }

    @Test
    void aBackupIsWaitedForAndRestores() {
        database.bucket("default").upsert("a", new byte[] {1});
        Path copy = folder.resolve("copy");
        Run made = admin("backup", copy.toString(), "--rate", "100");
        assertEquals(0, made.exitCode(), made.err());
        assertSays("is complete.", made);
        Run again = admin("backup", copy.toString());
        assertEquals(1, again.exitCode());
        assertSays("The folder is not empty", again);
        assertEquals(0, admin("check").exitCode());
        assertEquals(0, admin("compact").exitCode());
        assertSays("failed", admin("jobs"));
        Run restored =
                Run.oriel(folder, "", "restore", copy.toString(), folder.resolve("new").toString());
        assertEquals(0, restored.exitCode(), restored.err());
    }

    @Test
    void theLogAProfileAndTheEndAreAskedFor() throws IOException {
        assertSays("error", admin("log", "error"));
        Path page = folder.resolve("p.html");
        assertEquals(0, admin("profile", "1", "--output", page.toString()).exitCode());
        assertTrue(Files.readString(page).endsWith("</html>\n"));
        assertSays("does not allow a stop by request", admin("stop"));
    }
}

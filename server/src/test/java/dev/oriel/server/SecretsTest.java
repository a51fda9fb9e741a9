package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.profiler.Profile;
import dev.oriel.profiler.ProfileOptions;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.Report;
import dev.oriel.profiler.ReportFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Passwords that are easily recognized, and everything that the server says, keeps and reports looked
/// through for them.
final class SecretsTest {
    private static final String KEPT = "marker-of-the-database-7f3a91";
    private static final String GIVEN = "marker-of-the-options-c25d08";
    private static final String WRONG = "marker-that-is-wrong-e6b417";
    private static final byte[] NONE = {};

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final Map<String, byte[]> seen = new LinkedHashMap<>();

    private void saw(String where, String text) {
        seen.put(where, bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void noPasswordIsSaidKeptOrReported() throws Exception {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        ServerLog events = new ServerLog(new PrintStream(log, true, StandardCharsets.UTF_8));
        ServerOptions options =
                ServerOptions.defaults().withPorts(0, -1, 0).withUsers(Map.of("root", GIVEN));
        saw("options", options.toString());
        Path data = folder.resolve("data");
        Path recording = folder.resolve("profile.jfr");
        try (Database database = Database.open(data)) {
            Profile profile = Profile.start(ProfileOptions.everything().withRecording(recording));
            ProfileResult result;
            try {
                Users.of(database).add("ada", KEPT, Map.of("*", Role.READ));
                try (OrielServer server = OrielServer.start(database, options, events)) {
                    logins(server);
                    tell(server);
                }
                statements(database);
            } finally {
                result = profile.stop();
            }
            reports(result);
        }
        saw("log", log.toString(StandardCharsets.UTF_8));
        keep(folder);
        assertTrue(seen.size() > 30, "looked at " + seen.keySet());
        List<String> leaks = new ArrayList<>();
        for (String password : new String[] {KEPT, GIVEN, WRONG}) {
            for (String form : forms(password)) {
                seen.forEach((where, bytes) -> {
                    if (new String(bytes, StandardCharsets.ISO_8859_1).contains(form)) {
                        leaks.add(form + " in " + where);
                    }
                });
            }
        }
        assertEquals(List.of(), leaks);
        boolean found = new String(bytes("x " + KEPT), StandardCharsets.ISO_8859_1).contains(KEPT);
        assertTrue(
                found && seen.containsKey("log") && log.size() > 0,
                "the search finds what is there");
    }

    /// A comparison that ends at the first difference tells how much of a guess was right. Secrets are
    /// compared in the files below only, and there by what takes as long for any guess; the one other
    /// comparison is of what is kept with what was kept.
    @Test
    void secretsAreComparedInTheSameTimeWhateverTheyAre() throws IOException {
        Path sources = Path.of("src", "main", "java", "dev", "oriel", "server");
        Map<String, Integer> safe = Map.of("Account.java", 1, "Secret.java", 1, "Scram.java", 1);
        Pattern secret =
                Pattern.compile(
                        "(?i)(password|secret|stored|proof|kept|sealed|digest|hmac)[\\w.()]*\\.equals\\("
                                + "|equals\\([^;]*(password|secret|stored|proof|sealed|digest|hmac)");
        List<String> unsafe = new ArrayList<>();
        try (Stream<Path> files = Files.list(sources)) {
            for (Path file : files.sorted().toList()) {
                String name = String.valueOf(file.getFileName());
                String text = Files.readString(file);
                int found = text.split("MessageDigest\\.isEqual\\(", -1).length - 1;
                assertEquals(safe.getOrDefault(name, 0), found, name);
                text.lines()
                        .filter(line -> secret.matcher(line).find())
                        .forEach(line -> unsafe.add(name + ": " + line.strip()));
            }
        }
        assertEquals(
                List.of(
                        "Account.java: && kept.equals(earlier.kept)",
                        "Account.java: && Objects.equals(password, earlier.password);"),
                unsafe);
    }

    /// As it is, and as it is sent: in Base64, whatever stands before it.
    private static List<String> forms(String password) {
        List<String> forms = new ArrayList<>();
        forms.add(password);
        for (int before = 0; before < 3; before++) {
            String padded = " ".repeat(before) + password;
            String base64 = Base64.getEncoder().encodeToString(bytes(padded));
            forms.add(base64.substring(before == 0 ? 0 : 4, base64.length() - 4));
        }
        return forms;
    }

    private static void logins(OrielServer server) throws Exception {
        for (String[] login :
                new String[][] {{"ada", KEPT}, {"root", GIVEN}, {"ada", WRONG}, {"no", WRONG}}) {
            String both = login[0] + " " + login[1];
            try (Wire wire = new Wire(server.memcachedPort())) {
                wire.send("set x 0 0 " + both.length() + "\r\n" + both + "\r\n");
                boolean right = wire.line().equals("STORED\r\n");
                assertEquals(!login[1].equals(WRONG), right);
            }
            try (Wire wire = new Wire(server.memcachedPort())) {
                byte[] plain = bytes("\0" + login[0] + "\0" + login[1]);
                wire.send(Wire.request(Opcode.SASL_AUTH, 0, 0, NONE, "PLAIN", plain));
                boolean right = wire.response().status() == 0;
                assertEquals(!login[1].equals(WRONG), right);
            }
            String basic = Base64.getEncoder().encodeToString(bytes(login[0] + ":" + login[1]));
            String said = http(server, "/pools/" + login[1], basic);
            assertFalse(said.isEmpty());
        }
        try (Wire wire =
                new Wire(server.memcachedPort())) { // a password in a place where none belongs
            wire.send("set " + WRONG + "\r\n" + WRONG + "\r\n" + WRONG + " " + KEPT + "\r\n");
            wire.send("quit\r\n");
            wire.all();
        }
    }

    private static String http(OrielServer server, String path, String basic) throws IOException {
        try (Wire wire = new Wire(server.httpPort())) {
            wire.send(
                    "GET "
                            + path
                            + " HTTP/1.1\r\nAuthorization: Basic "
                            + basic
                            + "\r\nConnection: close\r\n\r\n");
            return wire.all();
        }
    }

    /// What the server says of itself.
    private void tell(OrielServer server) throws Exception {
        String basic = Base64.getEncoder().encodeToString(bytes("root:" + GIVEN));
        for (String path : new String[] {"/metrics", "/health/ready", "/pools", "/users"}) {
            saw(path, http(server, path, basic));
        }
        try (Wire wire = new Wire(server.memcachedPort())) {
            String both = "root " + GIVEN;
            wire.send("set x 0 0 " + both.length() + "\r\n" + both + "\r\n");
            wire.line();
            for (String group : new String[] {"", "settings", "items", "conns", "threads"}) {
                saw("stats " + group, wire.ask("stats " + group + "\r\n"));
            }
        }
        saw("users", server.users().list().toString());
        saw("kept", server.users().kept().toString());
        saw("accounts", server.accounts().picture().toString());
        Account account = server.accounts().of("ada");
        saw("secret", account == null ? "" : String.valueOf(account.secret("HmacSHA256")));
    }

    /// What the database remembers of statements, and of everything else in `sys`.
    private void statements(Database database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            List<String> tables = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("SELECT * FROM sys.catalog")) {
                while (rows.next()) {
                    tables.add(rows.getString(1));
                }
            }
            assertTrue(tables.size() > 3, tables.toString());
            for (String table : tables) {
                String name = table.startsWith("sys.") ? table : "sys." + table;
                StringBuilder all = new StringBuilder();
                try (ResultSet rows = statement.executeQuery("SELECT * FROM " + name)) {
                    while (rows.next()) {
                        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                            all.append(rows.getString(i)).append('\n');
                        }
                    }
                } catch (SQLException notATable) { // a function, which wants arguments
                    all.append(notATable.getMessage());
                }
                saw(name, all.toString());
            }
        }
    }

    private void reports(ProfileResult result) throws IOException {
        Path reports = Files.createDirectories(folder.resolve("reports"));
        for (ReportFormat format : ReportFormat.values()) {
            if (!format.ending().isEmpty()) {
                Path file = reports.resolve("report" + format.ending());
                Report.byName(file, "secrets").write(result, file);
            }
        }
    }

    private void keep(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            files.filter(Files::isRegularFile)
                    .forEach(file -> {
                        try {
                            seen.put(root.relativize(file).toString(), Files.readAllBytes(file));
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
        }
    }
}

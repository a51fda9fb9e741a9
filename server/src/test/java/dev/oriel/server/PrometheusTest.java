package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// What `/metrics` says, and whether it is in Prometheus's form.
final class PrometheusTest {
    @RegisterExtension final Served served = new Served();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private static final ServerOptions ANY = ServerOptions.defaults().withPorts(0, -1, 0);

    private static String metrics(OrielServer server) throws Exception {
        try (Wire wire = new Wire(server.httpPort())) {
            String answer = wire.http("/metrics");
            return answer.substring(answer.indexOf("# HELP"));
        }
    }

    @Test
    void theTextKeepsTheRulesOfTheFormat() throws Exception {
        OrielServer server = served.start(ANY);
        try (Wire wire = new Wire(server.memcachedPort())) {
            assertEquals("STORED\r\n", wire.ask("set a 0 0 1\r\n1\r\n"));
            wire.ask("get a\r\nstats\r\nnonsense\r\n");
        }
        metrics(server);
        String text = metrics(server);
        assertEquals(List.of(), MetricsText.faults(text), text);
    }

    @Test
    void theCheckerFindsWhatIsWrong() {
        String broken =
                """
                # HELP oriel_a_seconds Some.
                # TYPE oriel_a_seconds counter
                oriel_b{x="1} 3
                # HELP oriel_h_seconds Some.
                # TYPE oriel_h_seconds histogram
                oriel_h_seconds_bucket{le="1.0"} 3
                oriel_h_seconds_bucket{le="+Inf"} 2
                oriel_h_seconds_count 4
                """;
        assertEquals(5, MetricsText.faults(broken).size(), MetricsText.faults(broken).toString());
    }

    /// Dashboard and alerts ask for nothing that there is not.
    @Test
    void theDocumentsAskForMetricsThatThereAre() throws Exception {
        AdminOptions admin =
                AdminOptions.NONE.withSchedules(
                        List.of(BackupSchedule.of("daily 02:30 " + folder.resolve("copies"))));
        OrielServer server = served.start(ANY.withAdmin(admin));
        metrics(server);
        String text = metrics(server);
        for (String document : List.of("grafana-dashboard.json", "prometheus-alerts.yml")) {
            Matcher names =
                    Pattern.compile("\\b(oriel|process)_[a-z_]+")
                            .matcher(Files.readString(documents().resolve(document)));
            int found = 0;
            while (names.find()) {
                String name = names.group();
                boolean there =
                        text.contains("\n" + name + " ")
                                || text.contains("\n" + name + "{")
                                || name.equals("oriel_disk_room_bytes") // of a folder alone
                                || name.equals(TlsTest.EXPIRY); // with TLS alone
                assertTrue(there, document + " asks for " + name);
                found++;
            }
            assertTrue(found > 10, document);
        }
    }

    private static Path documents() {
        Path here = Path.of("docs");
        return Files.isDirectory(here) ? here : Path.of("..", "docs");
    }

    @Test
    void eachCommandHasItsHistogram() throws Exception {
        OrielServer server = served.start(ANY);
        try (Wire wire = new Wire(server.memcachedPort())) {
            for (int i = 0; i < 5; i++) {
                assertEquals("STORED\r\n", wire.ask("set a 0 0 1\r\n1\r\n"));
            }
            wire.ask("get a\r\n");
        }
        String text = metrics(server);
        String name = "oriel_command_duration_seconds";
        assertTrue(text.contains(name + "_count{protocol=\"text\",command=\"set\"} 5\n"), text);
        assertTrue(
                text.contains(name + "_bucket{protocol=\"text\",command=\"get\",le=\"+Inf\"} 1\n"),
                text);
        assertFalse(text.contains("command=\"gat\""), "what nobody has sent is left out");
    }
}

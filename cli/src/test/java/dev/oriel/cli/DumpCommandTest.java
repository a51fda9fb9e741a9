package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `oriel dump` and `oriel restore` of dumps.
class DumpCommandTest {
    private static final List<String> QUERIES =
            List.of(
                    "g.V().count()",
                    "g.E().count()",
                    "g.V().has('airport', 'code', 'AUS').valueMap()",
                    "g.V().has('airport', 'code', 'AUS').out('route').values('code').order().fold()",
                    "g.E().hasLabel('route').values('distance').sum()",
                    "g.V('1').outE('route').id().fold()");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private Run run(String... words) {
        Run run = Run.oriel(folder, "", words);
        assertEquals("", run.err());
        assertEquals(0, run.exitCode());
        return run;
    }

    private String fails(String... words) {
        Run run = Run.oriel(folder, "", words);
        assertEquals(1, run.exitCode());
        return run.err();
    }

    private void copy(String file) throws IOException {
        try (InputStream in = AirRoutes.class.getResourceAsStream("airroutes/" + file)) {
            Files.copy(Objects.requireNonNull(in), folder.resolve(file));
        }
    }

    private void loadAirRoutes() throws IOException {
        for (String file : List.of("airports.csv", "routes.csv", "places.csv", "contains.csv")) {
            copy(file);
        }
        run(
                "graph",
                "load",
                path("db"),
                "--vertices",
                "airport=" + path("airports.csv"),
                "--vertices",
                path("places.csv"),
                "--edges",
                "route=" + path("routes.csv"),
                "--edges",
                "contains=" + path("contains.csv"),
                "--id",
                "id",
                "--label",
                "kind",
                "--from",
                "source,place",
                "--to",
                "target,airport",
                "--type",
                "runways=int,longest=int,elev=int,lat=double,lon=double,distance=int,city=text");
    }

    @Test
    void theGraphOfAirRoutesComesBack() throws IOException {
        loadAirRoutes();
        Run dump = run("dump", path("db"), path("db.zip"));
        assertTrue(dump.out().contains("  rows written "), dump.out());
        assertTrue(
                dump.out().contains("The dump " + path("db.zip") + " is complete: "), dump.out());
        Run restore = run("restore", path("db.zip"), path("again"));
        assertTrue(restore.out().contains("  bytes read "), restore.out());
        assertEquals("All is well.\n", run("check", path("again")).out());
        run("dump", path("again"), path("again.zip"));
        assertArrayEquals(
                Files.readAllBytes(folder.resolve("db.zip")),
                Files.readAllBytes(folder.resolve("again.zip")));
        for (String query : QUERIES) {
            String before = run("gremlin", path("db"), "-c", query).out();
            assertEquals(before, run("gremlin", path("again"), "-c", query).out(), query);
            assertFalse(before.isBlank(), query);
        }
        String added = "g.addV('airport').property('code', 'NEW').id()";
        assertEquals(
                run("gremlin", path("db"), "-c", added).out(),
                run("gremlin", path("again"), "-c", added).out());
    }

    @Test
    void commandsSayWhatIsWrongAndCreateNothing() throws IOException {
        assertTrue(fails("dump", path("db"), path("x.zip")).contains("there is no database in "));
        assertTrue(fails("restore", path("x.zip"), path("db")).contains("there is no backup in "));
        run("sql", path("db"), "-c", "CREATE TABLE t (id INT)");
        run("dump", path("db"), path("x.zip"));
        assertTrue(
                fails("dump", path("db"), path("x.zip"))
                        .contains("The file for the dump exists already; name a new one"));
        assertTrue(
                fails("dump", path("db"), path("no/x.zip"))
                        .contains("The dump cannot be written; name another file"));
        assertTrue(
                fails("restore", path("x.zip"), path("db")).contains("not empty; name an empty"));
        Files.writeString(folder.resolve("letter.txt"), "dear");
        assertTrue(
                fails("restore", path("letter.txt"), path("new"))
                        .contains("no complete dump; name"));
        assertFalse(Files.exists(folder.resolve("new")));
        try (Database database = Database.open(folder.resolve("db"))) {
            database.dump(folder.resolve("open.zip"));
        }
        assertArrayEquals(
                Files.readAllBytes(folder.resolve("x.zip")),
                Files.readAllBytes(folder.resolve("open.zip")));
    }
}

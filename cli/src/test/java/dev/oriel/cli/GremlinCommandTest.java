package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.graph.OrielGraph;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands `gremlin` and `graph load` without a terminal, against real databases.
class GremlinCommandTest {
    private static final String PEOPLE =
            """
            // three people
            g.addV('person').property('name', 'marko').property('age', 29).as('a').
              addV('person').property('name', 'vadas').as('b').
              addE('knows').from('a').to('b').property('since', 2010)
            g.addV('person').
              property('name', 'josh')
            """;

    @TempDir private Path folder;

    @Test
    void verticesAreShownWithTheirProperties() {
        Run run =
                gremlin(
                        PEOPLE
                                + "g.V().has('name', 'marko').values('age')\ng.V().valueMap('name')\n");
        assertEquals("", run.err());
        assertEquals(0, run.exitCode());
        assertTrue(run.out().contains(" result\n--------\n     29\n(1 result)\n"), run.out());
        assertTrue(
                run.out().contains(" name\n---------\n [marko]\n [vadas]\n [josh]\n(3 results)\n"),
                run.out());
    }

    @Test
    @SuppressWarnings("try") // graphs of ours throw nothing else when they are closed
    void aFileThatIsStoppedIsNotRunToItsEnd() throws Exception {
        try (Database database = Database.inMemory();
                Graph graph = OrielGraph.open(database, "g")) {
            AtomicReference<GremlinShell> shell = new AtomicReference<>();
            StringWriter out =
                    new StringWriter() {
                        @Override
                        public void flush() {
                            shell.get().cancel(); // between two statements
                        }
                    };
            Screen screen = new Screen(new PrintWriter(out), Screen.ENDLESS, false);
            shell.set(new GremlinShell(graph, OutputFormat.TABLE, () -> screen));
            BufferedReader in = new BufferedReader(new StringReader("g.addV()\ng.addV()\n"));
            Failure failure = assertThrows(Failure.class, () -> shell.get().script(in, "f"));
            assertEquals("f, line 2: " + Shell.STOPPED, failure.getMessage());
            assertEquals(1, graph.traversal().V().count().next());
            graph.tx().rollback();
        }
    }

    @Test
    void edgesAndVerticesHaveColumnsForWhatTheyHave() {
        Run run = gremlin(PEOPLE + "g.V().hasLabel('person').order().by('name')\n");
        assertTrue(run.out().contains("| label  | name  |  age"), run.out());
        assertTrue(run.out().contains("| person | marko |   29"), run.out());
        assertTrue(run.out().contains("| person | josh  | NULL"), run.out());
        Run edges = gremlin(PEOPLE + "g.E()\n");
        assertTrue(edges.out().contains("| label |   from |     to |"), edges.out());
        assertTrue(edges.out().contains("| knows |"), edges.out());
        assertTrue(edges.out().contains("| since"), edges.out());
    }

    @Test
    void aStatementGoesOnWhileABracketIsOpenOrTheNextLineBeginsWithADot() {
        Run run =
                gremlin(
                        """
                        g.inject(1,
                                 2)
                         .fold()
                        g.inject('a;b // c'); g.inject(3)
                        """);
        assertEquals("", run.err());
        assertTrue(run.out().contains(" [1, 2]\n"), run.out());
        assertTrue(run.out().contains(" a;b // c\n"), run.out());
        assertTrue(run.out().contains("      3\n"), run.out());
    }

    @Test
    void jsonIsForPrograms() {
        Run run =
                Run.oriel(
                        folder,
                        "",
                        "gremlin",
                        "--format",
                        "json",
                        "-c",
                        "g.addV('a').property('x', 1.5d).property('y', 'q\"').count();"
                                + " g.V().project('p', 'q').by('x').by(values('y').fold())");
        assertEquals(0, run.exitCode(), run.err());
        assertEquals("[\n1\n]\n[\n{\"p\":1.5,\"q\":[\"q\\\"\"]}\n]\n", run.out());
    }

    @Test
    void programsGetNothingButResults() {
        Run run =
                gremlin(
                        """
                        :format json
                        :timing on
                        :begin
                        g.addV('a').count()
                        :commit
                        g.V().drop()
                        g.V().label()
                        """);
        assertEquals("[\n1\n]\n[]\n[]\n", run.out(), run.err());
        assertEquals("Results are shown as csv.\n", gremlin(":format csv\n:format\n").out());
    }

    @Test
    void whatIsNotUtf8IsRefused() {
        byte[] latin = "g.addV('gr\u00fcn')\n".getBytes(StandardCharsets.ISO_8859_1);
        Run run = Run.oriel(folder, latin, "gremlin");
        assertEquals("oriel: the text is not UTF-8\n", run.err());
        assertEquals(1, run.exitCode());
    }

    @Test
    void explainAndProfileShowTheSteps() {
        Run run =
                gremlin(
                        PEOPLE
                                + ":explain g.V().has('person', 'name', 'marko').out()\n"
                                + ":profile g.V().has('person', 'name', 'marko').out()\n"
                                + "g.V().count().profile()\n");
        assertEquals("", run.err());
        assertTrue(run.out().contains("Final Traversal"), run.out());
        assertTrue(run.out().contains("OrielGraphStep"), run.out());
        assertTrue(run.out().contains("Traversal Metrics"), run.out());
    }

    @Test
    void everyStatementCommitsUnlessATransactionWasBegun() {
        Path database = folder.resolve("db");
        Run first =
                Run.oriel(
                        folder,
                        "g.addV('kept')\n:begin\ng.addV('dropped')\n:rollback\n:begin\ng.addV('too')\n:commit\n",
                        "gremlin",
                        database.toString());
        assertEquals("", first.err());
        Run second =
                Run.oriel(
                        folder,
                        "",
                        "gremlin",
                        database.toString(),
                        "--format",
                        "json",
                        "-c",
                        "g.V().label().order()");
        assertEquals("[\n\"kept\",\n\"too\"\n]\n", second.out(), second.err());
    }

    @Test
    void aScriptStopsAtItsFirstErrorAndNamesTheLine() throws IOException {
        Path script = folder.resolve("s.gremlin");
        Files.writeString(script, "g.addV('a')\n\ng.V().\n  nosuchstep()\ng.addV('b')\n");
        Path database = folder.resolve("db");
        Run run = Run.oriel(folder, "", "gremlin", database.toString(), "-f", script.toString());
        assertEquals(1, run.exitCode());
        assertTrue(run.err().startsWith("oriel: " + script + ", line 3: ERROR: "), run.err());
        Run after =
                Run.oriel(folder, "", "gremlin", database.toString(), "-c", "g.V().label().fold()");
        assertTrue(after.out().contains(" [a]\n"), after.out());
    }

    @Test
    void codeIsNotRun() {
        Run run = gremlin("System.exit(1)\n");
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("line 1: ERROR: "), run.err());
        Run lambda = gremlin("g.V().map{it.get()}\n");
        assertEquals(1, lambda.exitCode());
    }

    @Test
    void commandsAreListedAndUnknownOnesNamed() {
        assertTrue(gremlin(":help\n").out().contains(":profile TRAVERSAL"));
        Run run = gremlin(":nothing\n");
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("there is no command :nothing"), run.err());
        Run schema = gremlin(PEOPLE + ":schema\n");
        assertTrue(schema.out().contains("edge labels    knows\n"), schema.out());
        assertTrue(schema.out().contains("property keys  age, name, since\n"), schema.out());
    }

    @Test
    void theAirRoutesAreLoadedAndFoundByGremlinAndSql() throws IOException {
        copy("airports.csv");
        copy("routes.csv");
        copy("places.csv");
        copy("contains.csv");
        Path database = folder.resolve("db");
        Run load =
                Run.oriel(
                        folder,
                        "",
                        "graph",
                        "load",
                        database.toString(),
                        "--vertices",
                        "airport=" + folder.resolve("airports.csv"),
                        "--vertices",
                        folder.resolve("places.csv").toString(),
                        "--edges",
                        "route=" + folder.resolve("routes.csv"),
                        "--edges",
                        "contains=" + folder.resolve("contains.csv"),
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
        assertEquals("", load.err());
        assertEquals(0, load.exitCode());
        assertTrue(load.out().contains("3,749 vertices and 57,645 edges in "), load.out());
        Run hops =
                Run.oriel(
                        folder,
                        "",
                        "gremlin",
                        database.toString(),
                        "--format",
                        "json",
                        "-c",
                        "g.V().has('airport', 'code', 'LHR').out('route').count();"
                                + " g.V().has('airport', 'code', 'LHR').outE('route').values('distance').sum();"
                                + " g.V().has('code', 'EU').out('contains').count()");
        Run sql =
                Run.oriel(
                        folder,
                        "",
                        "sql",
                        database.toString(),
                        "-c",
                        "\\format csv\n"
                                + "SELECT count(*), sum(r.distance) FROM route r WHERE r._source ="
                                + " (SELECT a._id FROM airport a WHERE a.city = 'London'"
                                + " AND a.longest = 12799);");
        String[] found = hops.out().replaceAll("[\\[\\]\\n]+", " ").strip().split(" +", -1);
        assertEquals(3, found.length, hops.out() + hops.err());
        assertTrue(
                sql.out().contains(found[0] + "," + found[1] + "\n"),
                sql.out() + hops.out() + sql.err());
        assertEquals("All is well.\n", Run.oriel(folder, "", "check", database.toString()).out());
    }

    @Test
    void aLoadOfNothingSaysWhatToName() {
        Run run = Run.oriel(folder, "", "graph", "load", folder.resolve("db").toString());
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("--vertices"), run.err());
    }

    private void copy(String file) throws IOException {
        try (var in = AirRoutes.class.getResourceAsStream("airroutes/" + file)) {
            Files.copy(java.util.Objects.requireNonNull(in), folder.resolve(file));
        }
    }

    private Run gremlin(String script) {
        return Run.oriel(folder, script, "gremlin");
    }
}

package dev.oriel.graph;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.graph.load.CsvLoad;
import dev.oriel.graph.load.LoadResult;
import dev.oriel.graph.schema.OrielSchema;
import dev.oriel.store.LimitException;
import dev.oriel.store.UsageException;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.testkit.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Loads of CSV files into graphs, in memory and on the disk, with all kinds of errors.
final class CsvLoadTest {
    @TempDir Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static void checked(OrielGraph graph) {
        graph.tx().rollback();
        assertEquals(List.of(), graph.database().check());
    }

    @Test
    void labelsTypesAndListsComeFromTheHeader() throws IOException {
        Path people =
                file(
                        "people.csv",
                        """
                        ~id,~label,name:string,age:int,born:date,nick:string[],note
                        1,person,"Marko \""M\"\"",29,1990-05-01,m;mm,
                        2,person,Vadas,,,,"two
                        lines"
                        x,thing,,,,,ünicode
                        """);
        Path edges =
                file(
                        "edges.csv",
                        """
                        ~id,~from,~to,~label,weight:double
                        e1,1,2,knows,0.5
                        e2,1,x,has,
                        """);
        try (OrielGraph graph = OrielGraph.inMemory()) {
            LoadResult result = graph.loadCsv().vertices(people).edges(edges).run();
            assertEquals(new LoadResult(3, 2, 0), result);
            GraphTraversalSource g = graph.traversal();
            assertEquals("Marko \"M\"", g.V(1).values("name").next());
            assertEquals(29, g.V("1").values("age").next());
            assertEquals(
                    Date.from(Instant.ofEpochMilli(641520000000L)), g.V(1).values("born").next());
            assertEquals(List.of("m", "mm"), g.V(1).values("nick").toList());
            assertEquals("two\nlines", g.V(2).values("note").next());
            assertEquals(Map.of("note", List.of("ünicode")), g.V("x").valueMap().next());
            assertEquals(0.5, g.E("e1").values("weight").next());
            assertEquals("x", g.V(1).out("has").id().next());
            assertEquals(1L, g.V(1).out("knows").count().next());
            assertEquals(
                    0,
                    requireNonNull(graph.catalog().vertexLabels().byName().get("person"))
                                    .columns()
                                    .keys()
                                    .length
                            - 3); // name, age, born; several nicks have no column
            checked(graph);
        }
    }

    @Test
    void rowsThatCannotBeLoadedAreWrittenToAFileWithTheirNumbersAndReasons() throws IOException {
        Path people =
                file(
                        "people.csv",
                        """
                        ~id,name,age:int
                        1,a,1
                        2,b,old
                        3,c
                        ,d,4
                        1,e,5
                        6,"f,6
                        7,g,7
                        """);
        Path edges = file("edges.csv", "~from,~to\n1,7\n1,2\n,7\n");
        Path rejects = folder.resolve("rejects.csv");
        try (OrielGraph graph = OrielGraph.inMemory()) {
            LoadResult result =
                    graph.loadCsv()
                            .vertices("person", people)
                            .edges("knows", edges)
                            .rejects(rejects, 100)
                            .run();
            assertEquals(new LoadResult(2, 1, 7), result);
            List<String> lines = Files.readAllLines(rejects);
            assertEquals("file,row,reason,record", lines.getFirst());
            assertEquals(people + ",3,\"age takes int, not old\",\"2,b,old\"", lines.get(1));
            assertEquals(
                    people + ",4,\"the row has 2 fields, and the header 3\",\"3,c\"", lines.get(2));
            assertEquals(people + ",5,the row has no id,\",d,4\"", lines.get(3));
            assertEquals(
                    people + ",6,there is a vertex with this id already,\"1,e,5\"", lines.get(4));
            assertEquals(people + ",7,a quoted field never ends,\"6,\"\"f,6\"", lines.get(5));
            assertEquals(edges + ",3,\"there is no vertex 2, its target\",\"1,2\"", lines.get(6));
            assertEquals(edges + ",4,the row has no source,\",7\"", lines.get(7));
            assertEquals(8, lines.size());
            checked(graph);
        }
    }

    @Test
    void withoutAFileOfRejectsTheFirstBadRowEndsTheLoadAndNothingIsLoaded() throws IOException {
        Path people = file("people.csv", "~id,age:int\n1,1\n2,x\n");
        try (OrielGraph graph = OrielGraph.inMemory()) {
            UsageException e =
                    assertThrows(
                            UsageException.class,
                            () -> graph.loadCsv().vertices("person", people).run());
            assertTrue(
                    String.valueOf(e.getMessage()).contains("age takes int, not x"),
                    e.getMessage());
            assertTrue(String.valueOf(e.getMessage()).contains("row=3"), e.getMessage());
            assertEquals(0, graph.traversal().V().count().next());
            graph.traversal().addV("person").iterate();
            graph.tx().commit();
            checked(graph);
        }
    }

    @Test
    void tooManyRejectedRowsEndTheLoadAndNothingIsLoaded() throws IOException {
        Path people = file("people.csv", "~id\n1\n1\n1\n1\n");
        Path rejects = folder.resolve("rejects.csv");
        try (OrielGraph graph = OrielGraph.inMemory()) {
            assertThrows(
                    LimitException.class,
                    () -> graph.loadCsv().vertices("person", people).rejects(rejects, 2).run());
            assertEquals(4, Files.readAllLines(rejects).size());
            assertEquals(0, graph.traversal().V().count().next());
        }
    }

    @Test
    void edgesMayLeadToVerticesOfTheGraphAndIdsOfTheGraphAreTaken() throws IOException {
        try (OrielGraph graph = OrielGraph.open(folder.resolve("db"))) {
            Vertex own = graph.traversal().addV("person").next();
            graph.addVertex(org.apache.tinkerpop.gremlin.structure.T.id, "known");
            graph.tx().commit();
            Path people = file("p.csv", "~id\nknown\n" + own.id() + "\nnew\n");
            Path edges = file("e.csv", "~from,~to\nnew,known\nnew," + own.id() + "\n");
            LoadResult result =
                    graph.loadCsv()
                            .vertices("person", people)
                            .edges("knows", edges)
                            .rejects(folder.resolve("r.csv"), 9)
                            .run();
            assertEquals(new LoadResult(1, 2, 2), result);
            assertEquals(
                    Set.of("known", own.id()),
                    Set.copyOf(graph.traversal().V("new").out().id().toList()));
            checked(graph);
        }
        try (OrielGraph graph = OrielGraph.open(folder.resolve("db"))) {
            assertEquals(2, graph.traversal().V("new").outE().count().next());
            graph.traversal().addV("person").iterate();
            graph.traversal()
                    .V("new")
                    .addE("knows")
                    .to(org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.V("known"))
                    .iterate();
            graph.tx().commit();
            assertEquals(3, graph.traversal().V("new").outE().count().next());
            checked(graph);
        }
    }

    @Test
    void rulesOfDeclaredLabelsHold() throws IOException {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            OrielSchema schema = graph.schema();
            schema.propertyKey("name").asText().create();
            schema.propertyKey("age").asInt().create();
            schema.propertyKey("since").asInt().create();
            schema.vertexLabel("person")
                    .properties("name", "age")
                    .primaryKeys("name")
                    .nullableKeys("age")
                    .create();
            schema.vertexLabel("town").create();
            schema.edgeLabel("knows").link("person", "person").properties("since").create();
            Path people = file("p.csv", "name,age,extra\na,1,\nb,,\na,2,\n,3,\nc,3,x\n");
            Path towns = file("t.csv", "~id\nt1\n");
            Path knows =
                    file(
                            "k.csv",
                            """
                            ~from,~to,since
                            person:a,person:b,1
                            person:a,person:b,2
                            t1,person:b,3
                            person:b,person:a,
                            """);
            Path rejects = folder.resolve("r.csv");
            LoadResult result =
                    graph.loadCsv()
                            .vertices("person", people)
                            .vertices("town", towns)
                            .edges("knows", knows)
                            .rejects(rejects, 10)
                            .run();
            assertEquals(new LoadResult(3, 1, 6), result, Files.readString(rejects));
            assertEquals(1, graph.traversal().V("person:a").outE("knows").values("since").next());
            String text = Files.readString(rejects);
            assertTrue(text.contains(",4,there is a vertex with this id already,"), text);
            assertTrue(text.contains("lacks"), text);
            assertTrue(text.contains("the label person has no property extra"), text);
            assertTrue(text.contains("single-time label knows"), text);
            assertTrue(text.contains("leads from person to person"), text);
            checked(graph);
        }
    }

    @Test
    void aUniqueIndexRefusesTheWholeTransaction() throws IOException {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            OrielSchema schema = graph.schema();
            schema.propertyKey("name").asText().create();
            graph.traversal().addV("person").property("name", "a").iterate();
            graph.tx().commit();
            schema.indexLabel("byName").onV("person").by("name").unique().create();
            Path people = file("p.csv", "~id,name\n1,b\n2,a\n");
            assertThrows(
                    ConstraintException.class,
                    () -> graph.loadCsv().vertices("person", people).run());
            assertEquals(List.of("a"), graph.traversal().V().values("name").toList());
            checked(graph);
        }
    }

    @Test
    void aLoadMayCommitInPartsAndToldHowFarItIs() throws IOException {
        StringBuilder text = new StringBuilder("~id,n:int\n");
        for (int i = 1; i <= 20_000; i++) {
            text.append(i).append(',').append(i).append('\n');
        }
        Path people = file("p.csv", text + "20001,x\n");
        List<Long> told = new ArrayList<>();
        try (OrielGraph graph = OrielGraph.open(folder.resolve("db"))) {
            assertThrows(
                    UsageException.class,
                    () ->
                            graph.loadCsv()
                                    .vertices("person", people)
                                    .commitEvery(6_000)
                                    .progress((_, rows, _, _) -> told.add(rows))
                                    .run());
            assertEquals(18_000, graph.traversal().V().count().next());
            assertEquals(2, told.size());
            checked(graph);
        }
    }

    /// The progress callback may end the load, while rows are read and while they are put into the tables.
    @Test
    void aLoadIsEndedByWhoIsToldHowFarItIsAndLeavesNothing() throws IOException {
        StringBuilder people = new StringBuilder("~id\n");
        StringBuilder edges = new StringBuilder("~from,~to\n");
        for (int i = 1; i <= 20_000; i++) {
            people.append(i).append('\n');
            edges.append(i).append(',').append(i * 7L % 20_000 + 1).append('\n');
        }
        Path vertexFile = file("p.csv", people.toString());
        Path edgeFile = file("e.csv", edges.toString());
        long all = Files.size(vertexFile) + Files.size(edgeFile);
        try (OrielGraph graph = OrielGraph.open(folder.resolve("db"))) {
            for (int again = 0; again < 2; again++) {
                int[] left = {again};
                CsvLoad load =
                        graph.loadCsv()
                                .vertices("person", vertexFile)
                                .edges("knows", edgeFile)
                                .progress((_, _, bytes, _) -> {
                                    if (bytes == all && left[0]-- == 0) {
                                        throw new IllegalStateException("enough");
                                    }
                                });
                IllegalStateException ended = assertThrows(IllegalStateException.class, load::run);
                assertEquals("enough", ended.getMessage());
                assertEquals(0, graph.traversal().V().count().next());
                checked(graph);
            }
            assertEquals(
                    new LoadResult(20_000, 20_000, 0),
                    graph.loadCsv().vertices("person", vertexFile).edges("knows", edgeFile).run());
            checked(graph);
        }
    }

    @Test
    void headersThatLackWhatIsNeededAreRefused() throws IOException {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            assertThrows(
                    UsageException.class,
                    () -> graph.loadCsv().edges("e", file("a.csv", "~from,x\n")).run());
            assertThrows(
                    UsageException.class,
                    () -> graph.loadCsv().vertices(file("b.csv", "~id,x\n")).run());
            assertThrows(
                    UsageException.class,
                    () -> graph.loadCsv().vertices("v", file("c.csv", "x:strange\n")).run());
            assertThrows(
                    UsageException.class,
                    () -> graph.loadCsv().vertices("v", file("d.csv", "")).run());
            assertThrows(
                    UsageException.class,
                    () -> graph.loadCsv().vertices("v", file("e.csv", "x,x\n")).run());
        }
    }

    @Test
    void randomTextSurvives() throws IOException {
        SplittableRandom random = Seed.of("CsvLoadTest", 20261122);
        String[] pieces = {"a", ",", "\"", "\n", "\r\n", "é", "\uD83D\uDE00", " ", ";", "0", "\\"};
        StringBuilder text = new StringBuilder("~id,p,q\n");
        Set<List<String>> wanted = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
        for (int i = 0; i < 500; i++) {
            String p = random(random, pieces);
            String q = random(random, pieces);
            wanted.add(List.of(p, q));
            text.append(i).append(',').append(quoted(p)).append(',').append(quoted(q)).append('\n');
        }
        try (OrielGraph graph = OrielGraph.inMemory()) {
            graph.loadCsv().vertices("v", file("v.csv", text.toString())).run();
            Set<List<String>> found = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
            graph.traversal()
                    .V()
                    .forEachRemaining(
                            v -> found.add(List.of(v.<String>value("p"), v.<String>value("q"))));
            assertEquals(wanted, found);
        }
    }

    private static String random(SplittableRandom random, String[] pieces) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i >= 0; i--) {
            text.append(pieces[random.nextInt(pieces.length)]);
        }
        return text.toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }
}

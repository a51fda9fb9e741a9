package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.graph.traversal.OrielGraphStepStrategy;
import dev.oriel.graph.traversal.OrielHopsStrategy;
import dev.oriel.graph.value.Words;
import dev.oriel.testkit.Seed;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.junit.jupiter.api.Test;

/// Traversals over ordinary tables. Conditions folded into reads of keys and indexes are visible in `explain()`,
/// read few pages, and give TinkerGraph's results. So do random traversals after random changes; `-Dgraphs=400`
/// runs more than 100,000 of these.
@SuppressWarnings("unchecked") // varargs and traversals of TinkerPop
class TableTraversalTest {
    private static final int GRAPHS = Integer.getInteger("graphs", 12);
    private static final int STEPS = 150;
    private static final int ASKED = 9;
    private static final String[] LABELS = RandomTraversal.LABELS;

    private static final String[] TABLES = {
        "CREATE TABLE person (id INT PRIMARY KEY, age INT, name VARCHAR(20))",
        "CREATE TABLE thing (id INT PRIMARY KEY, age INT, name VARCHAR(20))",
        "CREATE TABLE place (id INT PRIMARY KEY, age INT, name VARCHAR(20))",
        "CREATE TABLE knows (id INT PRIMARY KEY, a INT NOT NULL REFERENCES person,"
                + " b INT NOT NULL REFERENCES person, weight DOUBLE)",
        "CREATE TABLE has (id INT PRIMARY KEY, a INT NOT NULL, b INT, weight DOUBLE)",
        "CREATE PROPERTY GRAPH g VERTEX TABLES (person, thing, place)"
                + " EDGE TABLES (knows SOURCE KEY (a) REFERENCES person (id) DESTINATION KEY (b) REFERENCES"
                + " person (id), has SOURCE KEY (a) REFERENCES person (id)"
                + " DESTINATION KEY (b) REFERENCES thing (id))"
    };

    private static final String[] INDEXES = {
        "CREATE INDEX person_age ON person (age)",
        "CREATE INDEX person_name ON person (name, age)",
        "CREATE ARRAY INDEX thing_age ON thing (age)",
        "CREATE INDEX knows_a ON knows (a, b)",
        "CREATE INDEX knows_b ON knows (b)",
        "CREATE INDEX knows_weight ON knows (weight)",
        "CREATE INDEX has_a ON has (a)"
    };

    private final SplittableRandom random = Seed.of("TableTraversalTest", 20261122);
    private int nextId;
    private int nextEdge;
    private int asked;

    private static void execute(Database database, String... statements) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    @Test
    void conditionsHopsAndCountsBecomeReadsOfKeysAndIndexes() throws SQLException {
        try (Database database = Database.inMemory()) {
            execute(database, TABLES);
            execute(database, INDEXES);
            try (TableGraph graph = TableGraph.open(database, "g")) {
                fill(graph);
                GraphTraversalSource g = graph.traversal();
                folds(g.V().has("person", "id", 7).id(), "person by index primary key", 8);
                folds(g.V().has("person", "age", 40).id(), "person by index person_age", 400);
                folds(
                        g.V().has("person", "age", P.between(40, 42)).count(),
                        "person by index person_age",
                        20);
                folds(
                        g.V().has("person", "name", "n3").has("age", P.gt(50)).id(),
                        "person by index person_name",
                        150);
                folds(
                        g.V().has("person", "name", TextP.startingWith("n4")).count(),
                        "person by index person_name",
                        20);
                folds(
                        g.V()
                                .hasLabel("person")
                                .order()
                                .by("age", Order.desc)
                                .limit(3)
                                .values("age"),
                        "person by index person_age descending, first 3",
                        60);
                folds(g.V().has("thing", "age", 3).count(), "thing by index thing_age", 20);
                folds(g.V().hasLabel("person").count(), "OrielCountStep", 60);
                folds(g.E().has("knows", "weight", P.gte(24.0)).count(), "knows_weight", 20);
                folds(
                        g.V().has("person", "id", 7).out("knows").count(),
                        "OrielHopCountStep(degree OUT[knows])",
                        20);
                folds(
                        g.V().has("person", "id", 7).out("knows").out("knows").dedup().id(),
                        "OrielHopsStep",
                        500);
                folds(
                        g.V("person:7").repeat(__.both("knows")).times(2).count(),
                        "OrielHopCountStep",
                        500);
            }
        }
    }

    /// Gremlin compares texts with case, whatever the index does.
    @Test
    void conditionsOnTextsWithoutCaseDoNotDependOnAnIndex() throws SQLException {
        try (Database database = Database.inMemory()) {
            execute(
                    database,
                    "CREATE TABLE star (id INT PRIMARY KEY, name VARCHAR_IGNORECASE(20))",
                    "INSERT INTO star VALUES (1, 'Zed'), (2, 'apple'), (3, 'AZtec'), (4, 'aztec')",
                    "CREATE PROPERTY GRAPH g VERTEX TABLES (star)");
            for (String index : List.of("SEARCH INDEX star_words", "INDEX star_name")) {
                execute(database, "CREATE " + index + " ON star (name)");
                try (TableGraph graph = TableGraph.open(database, "g")) {
                    GraphTraversalSource g = graph.traversal();
                    assertEquals(
                            List.of(3, 4),
                            ids(g.V().has("star", "name", Words.containing("AZTEC"))));
                    assertEquals(List.of(), ids(g.V().has("star", "name", "ZED")));
                    assertEquals(List.of(1), ids(g.V().has("star", "name", "Zed")));
                    assertEquals(
                            List.of(1), ids(g.V().has("star", "name", P.within("Zed", "AZTEC"))));
                    assertEquals(List.of(1, 2, 4), ids(g.V().has("star", "name", P.gt("Z"))));
                    assertEquals(List.of(3), ids(g.V().has("star", "name", P.lt("Z"))));
                    assertEquals(
                            List.of(3), ids(g.V().has("star", "name", TextP.startingWith("AZ"))));
                    assertEquals(
                            List.of("AZtec", "Zed", "apple", "aztec"),
                            g.V().hasLabel("star").order().by("name").values("name").toList());
                }
            }
        }
    }

    private static List<Object> ids(GraphTraversal<?, Vertex> vertices) {
        return vertices.values("id").order().toList();
    }

    @Test
    void hopsOverEdgesWithoutAnIndexAreWarnedOfShownAndRefused() throws SQLException {
        try (Database database = Database.inMemory();
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE person (id INT PRIMARY KEY)");
            statement.execute("CREATE TABLE knows (a INT, b INT, PRIMARY KEY (a, b))");
            assertNull(statement.getWarnings());
            statement.execute(
                    "CREATE PROPERTY GRAPH g VERTEX TABLES (person) EDGE TABLES (knows"
                            + " SOURCE KEY (a) REFERENCES person (id)"
                            + " DESTINATION KEY (b) REFERENCES person (id))");
            SQLWarning warning = statement.getWarnings();
            assertEquals("01000", warning.getSQLState());
            String said = String.valueOf(warning.getMessage());
            assertTrue(said.contains("CREATE INDEX ON knows (b)"), said);
            assertNull(warning.getNextWarning(), "the primary key begins with the other end");
            statement.execute("INSERT INTO person VALUES (1), (2)");
            statement.execute("INSERT INTO knows VALUES (1, 2)");
            try (TableGraph graph = TableGraph.open(database, "g")) {
                GraphTraversalSource g = graph.traversal().with("oriel.unindexed", "refuse");
                List<GraphTraversal<?, ?>> slow =
                        List.of(
                                g.V("person:2").in("knows").values("id"),
                                g.V("person:2").inE("knows").count(),
                                g.V("person:2").both().id(),
                                g.V("person:2").inE().valueMap(),
                                g.V("person:2").in().in().count(),
                                g.V("person:2").repeat(__.in()).times(2).dedup().id());
                for (GraphTraversal<?, ?> each : slow) {
                    String shown = each.asAdmin().clone().explain().prettyPrint();
                    assertTrue(shown.contains("no index begins with knows(b)"), shown);
                    IllegalArgumentException refused =
                            assertThrows(IllegalArgumentException.class, each::toList);
                    assertTrue(
                            String.valueOf(refused.getMessage())
                                    .contains("No index begins with knows(b)"));
                }
                assertEquals(List.of(2), g.V("person:1").out("knows").values("id").toList());
                graph.tx().rollback();
                statement.execute("CREATE INDEX knows_b ON knows (b)");
                assertEquals(List.of(1), g.V("person:2").in("knows").values("id").toList());
            }
        }
    }

    /// The entries of a unique BTREE index have no row key behind the values; an ARRAY index has one.
    @Test
    void aUniqueIndexIsReadOnBehindTheRowThatWasReadLast() throws SQLException {
        for (String kind : List.of("UNIQUE", "UNIQUE ARRAY")) {
            try (Database database = Database.inMemory()) {
                execute(
                        database,
                        "CREATE TABLE thing (id INT PRIMARY KEY, grade INT)",
                        "CREATE " + kind + " INDEX thing_grade ON thing (grade)",
                        "CREATE PROPERTY GRAPH g VERTEX TABLES (thing)");
                try (TableGraph graph = TableGraph.open(database, "g")) {
                    for (int i = 0; i < 100; i++) {
                        graph.addVertex(T.label, "thing", "id", i, "grade", i * 7 % 100);
                    }
                    graph.tx().commit();
                    GraphTraversalSource g = graph.traversal();
                    for (Order order : List.of(Order.desc, Order.asc)) {
                        folds(
                                g.V().hasLabel("thing").order().by("grade", order).limit(40).id(),
                                "thing by index thing_grade",
                                400);
                    }
                }
            }
        }
    }

    @Test
    void equalNumbersOfSeveralScalesAreOneRangeOfAnIndex() throws SQLException {
        try (Database database = Database.inMemory()) {
            execute(
                    database,
                    "CREATE TABLE item (id INT PRIMARY KEY, price DECIMAL(8, 2), pieces INT)",
                    "CREATE INDEX item_price ON item (price)",
                    "CREATE INDEX item_pieces ON item (pieces)",
                    "INSERT INTO item VALUES (1, 1.5, 100), (2, 100, 5), (3, 2, 7)",
                    "CREATE PROPERTY GRAPH g VERTEX TABLES (item)");
            try (TableGraph graph = TableGraph.open(database, "g")) {
                GraphTraversalSource g = graph.traversal();
                P<Object> prices = P.within(decimal("1.5"), decimal("1.50"), decimal("1E+2"));
                folds(g.V().has("item", "price", prices).id(), "item by index item_price", 20);
                folds(g.V().has("item", "price", prices).count(), "item by index item_price", 20);
                P<Object> counts = P.within(decimal("5.0"), decimal("1E+2"), 5);
                folds(g.V().has("item", "pieces", counts).id(), "item by index item_pieces", 20);
                assertEquals(2L, g.V().has("item", "price", prices).count().next());
                assertEquals(2L, g.V().has("item", "pieces", counts).count().next());
                P<Object> mixed = P.within(100, decimal("100"), 100L, decimal("100.00"));
                folds(g.V().has("item", "price", mixed).id(), "item by index item_price", 20);
                assertEquals(1L, g.V().has("item", "price", mixed).count().next());
            }
        }
    }

    /// An index orders JSON by value, 9 before 10, and Gremlin orders the texts that it reads.
    @Test
    void theFirstFewInTheOrderOfAnIndexAreNotThoseInTheOrderOfTexts() throws SQLException {
        try (Database database = Database.inMemory()) {
            execute(
                    database,
                    "CREATE TABLE item (id INT PRIMARY KEY, doc JSON)",
                    "CREATE INDEX item_doc ON item (doc)",
                    "INSERT INTO item VALUES (1, '9'), (2, '10'), (3, '100')",
                    "CREATE PROPERTY GRAPH g VERTEX TABLES (item)");
            try (TableGraph graph = TableGraph.open(database, "g")) {
                assertEquals(
                        List.of("10", "100"),
                        graph.traversal().V().order().by("doc").limit(2).values("doc").toList());
            }
        }
    }

    private static Object decimal(String text) {
        return new BigDecimal(text);
    }

    private static void fill(TableGraph graph) {
        List<Vertex> people = new ArrayList<>();
        for (int i = 1; i <= 4_000; i++) {
            people.add(
                    graph.addVertex(
                            T.label, "person", "id", i, "age", i % 100, "name", "n" + i % 50));
            graph.addVertex(T.label, "thing", "id", i, "age", i % 100);
        }
        for (int i = 1; i <= 12_000; i++) {
            people.get(i * 31 % 4_000)
                    .addEdge("knows", people.get(i * 17 % 4_000), "id", i, "weight", i % 100 / 4.0);
        }
        graph.tx().commit();
    }

    /// Checks that the plan contains `told`, and that the traversal reads few pages and has the same results
    /// without folding.
    private static void folds(GraphTraversal<?, ?> traversal, String told, int pages) {
        GraphTraversal<?, ?> unfolded = traversal.asAdmin().clone();
        unfolded.asAdmin()
                .setStrategies(
                        unfolded.asAdmin()
                                .getStrategies()
                                .clone()
                                .removeStrategies(
                                        OrielGraphStepStrategy.class, OrielHopsStrategy.class));
        String text = traversal.explain().toString();
        assertTrue(text.replaceAll("\\s+", " ").contains(told), text);
        TableGraph graph = (TableGraph) traversal.asAdmin().getGraph().orElseThrow();
        long before = graph.work().pages();
        List<String> found = texts(traversal);
        long read = graph.work().pages() - before;
        assertTrue(read <= pages, () -> read + " pages for " + told);
        assertEquals(texts(unfolded), found, told);
        assertTrue(!found.isEmpty(), told);
    }

    private static List<String> texts(Iterator<?> of) {
        List<String> texts = new ArrayList<>();
        of.forEachRemaining(each -> texts.add(String.valueOf(each)));
        texts.sort(null);
        return texts;
    }

    /// A traversal does not meet an element again after it has changed it.
    @Test
    void anElementThatMovesInTheIndexThatIsReadIsMetOnce() throws SQLException {
        try (Database database = Database.inMemory()) {
            execute(database, TABLES);
            execute(database, INDEXES);
            try (TableGraph graph = TableGraph.open(database, "g")) {
                fill(graph);
                Iterator<Vertex> old = graph.traversal().V().has("person", "age", P.gt(10));
                long changed = 0;
                while (old.hasNext()) {
                    Vertex each = old.next();
                    each.property("age", each.<Integer>value("age") + 1_000);
                    changed++;
                }
                assertEquals(4_000 * 89 / 100, changed);
                assertEquals(
                        changed,
                        graph.traversal().V().has("person", "age", P.gt(1_000)).count().next());
            }
        }
    }

    /// A traversal does not meet elements that it adds, ahead of its place or in a table that it reads later.
    @Test
    void whatATraversalAddsItDoesNotMeet() throws SQLException {
        try (Database database = Database.inMemory()) {
            execute(
                    database,
                    "CREATE TABLE person (id INT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, n INT)",
                    "CREATE TABLE thing (id INT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, n INT)",
                    "CREATE INDEX person_n ON person (n)",
                    "CREATE INDEX thing_n ON thing (n)",
                    "CREATE TABLE e (id INT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,"
                            + " a INT NOT NULL REFERENCES person, b INT NOT NULL REFERENCES person)",
                    "CREATE PROPERTY GRAPH g VERTEX TABLES (person, thing) EDGE TABLES"
                            + " (e SOURCE KEY (a) REFERENCES person DESTINATION KEY (b) REFERENCES person)");
            try (TableGraph graph = TableGraph.open(database, "g")) {
                GraphTraversalSource g = graph.traversal().with("evaluationTimeout", 60_000L);
                for (int i = 0; i < 300; i++) {
                    graph.addVertex(T.label, "person", "n", 0);
                }
                graph.tx().commit();
                g.V().hasLabel("person").addV("person").property("n", 0).iterate();
                assertEquals(600L, g.V().count().next());
                g.V().hasLabel("person").as("p").addE("e").from("p").to("p").iterate();
                g.E().outV().as("p").addE("e").from("p").to("p").iterate();
                assertEquals(1_200L, g.E().count().next());
                g.V().addV("thing").property("n", 1).iterate();
                assertEquals(1_200L, g.V().count().next());
                graph.tx().commit();
                g.V().has("n", P.gte(0)).addV("person").property("n", 2).iterate();
                assertEquals(2_400L, g.V().count().next());
                g.V().has("n", P.gte(0)).addV("thing").property("n", 2).iterate();
                assertEquals(4_800L, g.V().count().next());
            }
        }
    }

    /// The same if it commits now and then.
    @Test
    void whatATraversalAddsItDoesNotMeetInTheNextTransactionEither() throws SQLException {
        try (Database database = Database.inMemory()) {
            execute(
                    database,
                    "CREATE TABLE person (id INT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, n INT)",
                    "CREATE PROPERTY GRAPH g VERTEX TABLES (person, person AS other LABEL other)");
            try (TableGraph graph = TableGraph.open(database, "g")) {
                GraphTraversalSource g = graph.traversal();
                for (int i = 0; i < 300; i++) {
                    graph.addVertex(T.label, "person", "n", 0);
                }
                graph.tx().commit();
                for (int every : new int[] {1, 7, 100}) {
                    long before = g.V().hasLabel("person").count().next();
                    Iterator<Vertex> people = g.V().hasLabel("person");
                    long met = 0;
                    while (people.hasNext() && met < 10_000) {
                        people.next();
                        graph.addVertex(T.label, every == 7 ? "other" : "person", "n", 0);
                        met++;
                        if (met % every == 0) {
                            graph.tx().commit();
                        }
                    }
                    assertEquals(before, met);
                    graph.tx().rollback();
                }
            }
        }
    }

    /// A rolled back row counts as never added.
    @Test
    void aRowThatWasRemovedAndAddedAgainIsMetWhereThatIsRolledBack() throws SQLException {
        try (Database database = Database.inMemory()) {
            execute(
                    database,
                    "CREATE TABLE person (id INT PRIMARY KEY, n INT)",
                    "CREATE PROPERTY GRAPH g VERTEX TABLES (person)");
            try (TableGraph graph = TableGraph.open(database, "g")) {
                for (int i = 0; i < 100; i++) {
                    graph.addVertex(T.label, "person", "id", i, "n", 0);
                }
                graph.tx().commit();
                Iterator<Vertex> people = graph.traversal().V().hasLabel("person");
                people.next();
                graph.vertices("person:90").next().remove();
                graph.addVertex(T.label, "person", "id", 90, "n", 1);
                graph.tx().rollback();
                long met = 1;
                while (people.hasNext()) {
                    people.next();
                    met++;
                }
                assertEquals(100, met);
            }
        }
    }

    @Test
    void whatIsReachedTwiceIsDroppedOnce() throws SQLException {
        try (Database database = Database.inMemory()) {
            execute(
                    database,
                    "CREATE TABLE v (id INT PRIMARY KEY)",
                    "CREATE TABLE e (id INT PRIMARY KEY, a INT NOT NULL REFERENCES v,"
                            + " b INT NOT NULL REFERENCES v)",
                    "INSERT INTO v VALUES (1), (2), (3)",
                    "INSERT INTO e VALUES (1, 1, 2), (2, 1, 2), (4, 3, 1)",
                    "CREATE PROPERTY GRAPH g VERTEX TABLES (v) EDGE TABLES"
                            + " (e SOURCE KEY (a) REFERENCES v DESTINATION KEY (b) REFERENCES v)");
            try (TableGraph graph = TableGraph.open(database, "g")) {
                GraphTraversalSource g = graph.traversal();
                List<Edge> all = g.E().toList();
                g.V("v:1").out("e").drop().iterate();
                assertEquals(1L, g.E().count().next());
                Vertex one = g.V("v:1").next();
                one.addEdge("e", one, "id", 3);
                g.V("v:1").bothE("e").drop().iterate(); // the loop comes twice
                assertEquals(0L, g.E().count().next());
                all.forEach(Edge::remove);
                all.forEach(Edge::remove);
                assertEquals(List.of(1, 3), g.V().values("id").toList());
                graph.tx().rollback(); // then they are there again
                assertEquals(1, all.getFirst().<Integer>value("id"));
                assertEquals(3L, g.E().count().next());
            }
        }
    }

    /// A row read in a batch and changed since is returned in its current state.
    @Test
    void whatATraversalChangesItReadsAsItIsThen() throws SQLException {
        try (Database database = Database.inMemory()) {
            execute(
                    database,
                    "CREATE TABLE person (id INT PRIMARY KEY, n INT)",
                    "CREATE PROPERTY GRAPH g VERTEX TABLES (person)");
            try (TableGraph graph = TableGraph.open(database, "g")) {
                for (int i = 1; i <= 4; i++) {
                    graph.addVertex(T.label, "person", "id", i, "n", i);
                }
                graph.tx().commit();
                Iterator<Vertex> all = graph.traversal().V().hasLabel("person");
                all.next();
                graph.vertices("person:2").next().property("n", 20);
                graph.vertices("person:3").next().remove();
                assertEquals(20, all.next().<Integer>value("n"));
                assertEquals(4, all.next().<Integer>value("n"));
                assertFalse(all.hasNext());
            }
        }
    }

    @Test
    void randomTraversalsFindWhatTinkerGraphFinds() throws SQLException {
        for (int i = 0; i < GRAPHS; i++) {
            try (Database database = Database.inMemory()) {
                execute(database, TABLES);
                if (i % 3 != 0) {
                    execute(database, INDEXES);
                }
                try (TableGraph ours = TableGraph.open(database, "g")) {
                    compare(ours, TinkerGraph.open());
                }
                assertEquals(List.of(), database.check());
            }
        }
        System.out.println("traversals compared: " + asked);
    }

    private void compare(TableGraph ours, Graph theirs) {
        nextId = 1;
        nextEdge = 1;
        for (int i = 0; i < STEPS; i++) {
            change(ours, theirs);
            if (random.nextInt(10) == 0) {
                ours.tx().commit();
            }
            for (int n = 0; i % 5 == 4 && n < ASKED; n++) {
                compare(new RandomTraversal(random, nextId, TableTraversalTest::id), ours, theirs);
            }
        }
        ours.tx().commit();
    }

    private void compare(RandomTraversal traversal, Graph ours, Graph theirs) {
        List<String> expected = traversal.ask(theirs.traversal());
        assertEquals(expected, traversal.ask(ours.traversal()), traversal::toString);
        if (random.nextInt(4) == 0) {
            assertEquals(
                    expected,
                    traversal.ask(
                            ours.traversal()
                                    .withoutStrategies(
                                            OrielGraphStepStrategy.class, OrielHopsStrategy.class)),
                    () -> "unfolded " + traversal);
        }
        asked++;
    }

    /// The label of a vertex: numbers cycle through three labels.
    private static String label(long number) {
        return LABELS[(int) (number % 3)];
    }

    private static Object id(long number) {
        return label(number) + ":" + number;
    }

    private void change(TableGraph ours, Graph theirs) {
        int kind = nextId < 12 ? 0 : random.nextInt(12);
        int one = 1 + random.nextInt(nextId);
        int age = random.nextInt(20);
        String name = "n" + random.nextInt(6);
        switch (kind) {
            case 0, 1, 2 -> {
                int id = nextId++;
                Object[] rest =
                        kind == 2
                                ? new Object[] {"name", name}
                                : new Object[] {"age", age, "name", name};
                add(ours, new Object[] {T.label, label(id), "id", id}, rest);
                add(theirs, new Object[] {T.label, label(id), T.id, id(id)}, rest);
            }
            case 3, 4, 5, 6, 7 -> addEdge(ours, theirs, age / 4.0);
            case 8 -> {
                for (Graph graph : List.of(ours, theirs)) {
                    graph.vertices(id(one)).forEachRemaining(v -> v.property("age", age));
                }
            }
            case 9 -> {
                for (Graph graph : List.of(ours, theirs)) {
                    graph.vertices(id(one))
                            .forEachRemaining(
                                    v -> v.properties("age").forEachRemaining(p -> p.remove()));
                }
            }
            case 10 -> {
                for (Graph graph : age < 5 ? List.of(ours, theirs) : List.<Graph>of()) {
                    graph.vertices(id(one)).forEachRemaining(Vertex::remove);
                }
            }
            default -> {
                for (Graph graph : List.of(ours, theirs)) {
                    graph.traversal()
                            .V(id(one))
                            .outE("knows")
                            .has("weight", P.lt(1.0))
                            .drop()
                            .iterate();
                }
            }
        }
    }

    private static void add(Graph to, Object[] first, Object[] rest) {
        List<Object> all = new ArrayList<>(List.of(first));
        all.addAll(List.of(rest));
        to.addVertex(all.toArray());
    }

    private void addEdge(TableGraph ours, Graph theirs, double weight) {
        boolean knows = random.nextBoolean();
        Object from = id(3L * random.nextInt(1 + nextId / 3));
        Object to = id(3L * random.nextInt(1 + nextId / 3) + (knows ? 0 : 1));
        String label = knows ? "knows" : "has";
        int id = nextEdge++;
        ours.vertices(from)
                .forEachRemaining(a ->
                        ours.vertices(to)
                                .forEachRemaining(
                                        b -> a.addEdge(label, b, "id", id, "weight", weight)));
        theirs.vertices(from)
                .forEachRemaining(a ->
                        theirs.vertices(to)
                                .forEachRemaining(b -> a.addEdge(label, b, "weight", weight)));
    }
}

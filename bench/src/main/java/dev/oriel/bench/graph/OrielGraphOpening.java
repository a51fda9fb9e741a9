package dev.oriel.bench.graph;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.bench.Durability;
import dev.oriel.graph.OrielGraph;
import dev.oriel.graph.load.GraphLoad;
import dev.oriel.graph.schema.OrielSchema;
import dev.oriel.graph.schema.VertexLabelBuilder;
import java.io.IOException;
import java.nio.file.Path;

/// Opens our graph with its schema.
final class OrielGraphOpening {
    private OrielGraphOpening() {}

    static GraphStore open(Path folder, GraphShape shape, Durability durability) {
        Database database = database(folder, durability);
        OrielGraph graph = OrielGraph.open(database, "");
        declare(graph.schema(), shape);
        return new OrielGraphStore(graph, database);
    }

    private static void declare(OrielSchema schema, GraphShape shape) {
        schema.propertyKey("name").asText().create();
        schema.propertyKey("city").asText().create();
        schema.propertyKey("age").asInt().create();
        VertexLabelBuilder person = schema.vertexLabel("person").properties("name", "city", "age");
        (shape == GraphShape.ALLOTTED ? person : person.primaryKeys("name")).create();
        schema.edgeLabel("knows").link("person", "person").multiTimes().create();
        if (shape == GraphShape.INDEXED) {
            schema.indexLabel("personByCity").onV("person").by("city").secondary().create();
            schema.indexLabel("personByAge").onV("person").by("age").range().create();
        }
    }

    static void load(Path folder, Path people, Path edges) throws IOException {
        try (Database database = Database.open(folder);
                OrielGraph graph = OrielGraph.open(database, "")) {
            declare(graph.schema(), GraphShape.ALLOTTED);
            graph.loadCsv()
                    .vertices("person", people)
                    .edges("knows", edges)
                    .idColumn("id")
                    .sourceColumn("source")
                    .targetColumn("target")
                    .run();
        }
    }

    static void load(Path folder, ReadGraph from) {
        try (Database database = Database.open(folder);
                OrielGraph graph = OrielGraph.open(database, "")) {
            declare(graph.schema(), GraphShape.ALLOTTED);
            try (GraphLoad load = graph.load()) {
                long[] people = new long[from.people()];
                for (int i = 0; i < people.length; i++) {
                    people[i] =
                            load.vertex(
                                    "person",
                                    "name",
                                    from.name(i),
                                    "city",
                                    from.city(i),
                                    "age",
                                    from.age(i));
                }
                for (int i = 0; i < from.edges(); i++) {
                    load.edge("knows", people[from.source(i)], people[from.target(i)]);
                }
                load.commit();
            }
        }
    }

    static LinkStore openLinks(Path folder, Durability durability) {
        Database database = database(folder, durability);
        OrielGraph graph = OrielGraph.open(database, "");
        OrielSchema schema = graph.schema();
        schema.propertyKey("version").asInt().create();
        schema.propertyKey("time").asLong().create();
        schema.propertyKey("data").asText().create();
        schema.vertexLabel("node").properties("version", "time", "data").create();
        schema.edgeLabel("link").link("node", "node").properties("time", "data").create();
        return new GremlinLinks(graph, database);
    }

    private static Database database(Path folder, Durability durability) {
        return switch (durability) {
            case MEMORY -> Database.inMemory();
            case ASYNC -> open(folder, dev.oriel.store.Durability.ASYNC);
            case WRITTEN -> open(folder, dev.oriel.store.Durability.WRITTEN);
            case SYNC -> open(folder, dev.oriel.store.Durability.SYNC);
        };
    }

    private static Database open(Path folder, dev.oriel.store.Durability durability) {
        return Database.open(folder, DatabaseOptions.defaults().withDurability(durability));
    }
}

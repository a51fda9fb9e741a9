package dev.oriel.graph;

import dev.oriel.graph.schema.OrielSchema;
import org.apache.tinkerpop.gremlin.LoadGraphWith;
import org.apache.tinkerpop.gremlin.LoadGraphWith.GraphData;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.jspecify.annotations.Nullable;

/// A schema and indexes for TinkerPop's example graphs.
final class ExampleSchema {
    private ExampleSchema() {}

    /// Declares the keys of the example, runs `load` to fill `graph`, and creates the indexes.
    static void around(@Nullable Graph graph, @Nullable LoadGraphWith with, Runnable load) {
        if (!(graph instanceof OrielGraph ours) || with == null) {
            load.run();
            return;
        }
        declare(ours, with.value());
        load.run();
        ours.tx().commit();
        index(ours, with.value());
    }

    static void declare(OrielGraph graph, GraphData data) {
        OrielSchema schema = graph.schema();
        schema.propertyKey("name").asText().ifNotExist().create();
        switch (data) {
            case CLASSIC -> {
                schema.propertyKey("age").asInt().ifNotExist().create();
                schema.propertyKey("lang").asText().ifNotExist().create();
                schema.propertyKey("weight").asFloat().ifNotExist().create();
            }
            case MODERN -> {
                schema.propertyKey("age").asInt().ifNotExist().create();
                schema.propertyKey("lang").asText().ifNotExist().create();
                schema.propertyKey("weight").asDouble().ifNotExist().create();
            }
            case GRATEFUL -> {
                schema.propertyKey("songType").asText().ifNotExist().create();
                schema.propertyKey("performances").asInt().ifNotExist().create();
                schema.propertyKey("weight").asInt().ifNotExist().create();
            }
            case CREW, SINK -> {}
        }
    }

    /// Creates the indexes of a filled graph.
    static void index(OrielGraph graph, GraphData data) {
        OrielSchema schema = graph.schema();
        switch (data) {
            case CLASSIC -> schema.indexLabel("byAge").onV("vertex").by("age").create();
            case MODERN -> {
                schema.indexLabel("personByAge").onV("person").by("age").create();
                schema.indexLabel("personByName").onV("person").by("name", "age").create();
                schema.indexLabel("softwareByName").onV("software").by("name").create();
                schema.indexLabel("softwareByLang").onV("software").by("lang").create();
                schema.indexLabel("knowsByWeight").onE("knows").by("weight").create();
                schema.indexLabel("createdByWeight").onE("created").by("weight").create();
            }
            case CREW -> schema.indexLabel("personByName").onV("person").by("name").create();
            case GRATEFUL -> {
                schema.indexLabel("songByName").onV("song").by("name").create();
                schema.indexLabel("songByPerformances")
                        .onV("song")
                        .by("songType", "performances")
                        .create();
                schema.indexLabel("artistByName").onV("artist").by("name").create();
                schema.indexLabel("followsByWeight").onE("followedBy").by("weight").create();
            }
            case SINK -> {}
        }
    }
}

package dev.oriel.bench.janusgraph;

import dev.oriel.bench.Durability;
import dev.oriel.bench.graph.GraphOpening;
import dev.oriel.bench.graph.GraphShape;
import dev.oriel.bench.graph.GraphStore;
import dev.oriel.bench.graph.GremlinLinks;
import dev.oriel.bench.graph.GremlinStore;
import dev.oriel.bench.graph.LinkStore;
import java.nio.file.Path;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.janusgraph.core.JanusGraph;
import org.janusgraph.core.JanusGraphFactory;
import org.janusgraph.core.Multiplicity;
import org.janusgraph.core.PropertyKey;
import org.janusgraph.core.schema.JanusGraphManagement;

/// Opens JanusGraph on BerkeleyDB JE in this process.
public final class JanusGraphOpening implements GraphOpening {
    @Override
    public GraphStore open(Path folder, GraphShape shape, Durability durability) {
        JanusGraph graph = graph(folder, durability);
        declare(graph.openManagement(), shape);
        return new GremlinStore(graph, false, () -> {});
    }

    @Override
    public LinkStore openLinks(Path folder, Durability durability) {
        JanusGraph graph = graph(folder, durability);
        JanusGraphManagement schema = graph.openManagement();
        schema.makePropertyKey("version").dataType(Integer.class).make();
        schema.makePropertyKey("time").dataType(Long.class).make();
        schema.makePropertyKey("data").dataType(String.class).make();
        schema.makeVertexLabel("node").make();
        schema.makeEdgeLabel("link").multiplicity(Multiplicity.MULTI).make();
        schema.commit();
        return new GremlinLinks(graph, () -> {});
    }

    private static JanusGraph graph(Path folder, Durability durability) {
        JanusGraphFactory.Builder options =
                JanusGraphFactory.build()
                        .set("storage.backend", "berkeleyje")
                        .set("storage.directory", folder.toString())
                        .set("schema.default", "none");
        if (durability == Durability.WRITTEN) {
            options.set(
                    "storage.berkeleyje.ext.je.txn.durability", "write_no_sync,write_no_sync,none");
        }
        return options.open();
    }

    private static void declare(JanusGraphManagement schema, GraphShape shape) {
        PropertyKey name = schema.makePropertyKey("name").dataType(String.class).make();
        PropertyKey city = schema.makePropertyKey("city").dataType(String.class).make();
        PropertyKey age = schema.makePropertyKey("age").dataType(Integer.class).make();
        schema.makeVertexLabel("person").make();
        schema.makeEdgeLabel("knows").multiplicity(Multiplicity.MULTI).make();
        if (shape != GraphShape.ALLOTTED) {
            schema.buildIndex("personByName", Vertex.class)
                    .addKey(name)
                    .unique()
                    .buildCompositeIndex();
        }
        if (shape == GraphShape.INDEXED) {
            schema.buildIndex("personByCity", Vertex.class).addKey(city).buildCompositeIndex();
            schema.buildIndex("personByAge", Vertex.class).addKey(age).buildCompositeIndex();
        }
        schema.commit();
    }
}

package dev.oriel.bench.hugegraph;

import dev.oriel.bench.Durability;
import dev.oriel.bench.graph.GraphOpening;
import dev.oriel.bench.graph.GraphShape;
import dev.oriel.bench.graph.GraphStore;
import dev.oriel.bench.graph.GremlinLinks;
import dev.oriel.bench.graph.GremlinStore;
import dev.oriel.bench.graph.LinkStore;
import java.nio.file.Path;
import org.apache.commons.configuration2.PropertiesConfiguration;
import org.apache.hugegraph.HugeFactory;
import org.apache.hugegraph.HugeGraph;
import org.apache.hugegraph.backend.store.BackendProviderFactory;
import org.apache.hugegraph.config.CoreOptions;
import org.apache.hugegraph.config.OptionSpace;
import org.apache.hugegraph.masterelection.GlobalMasterInfo;
import org.apache.hugegraph.schema.SchemaManager;
import org.apache.hugegraph.schema.VertexLabel;

/// Opens HugeGraph on RocksDB in this process, as its own example PerfExample3 does.
public final class HugeGraphOpening implements GraphOpening {
    private static final String STORE = "org.apache.hugegraph.backend.store.rocksdb.";

    private static int opened;

    static {
        OptionSpace.register("core", CoreOptions.instance());
        OptionSpace.register("rocksdb", STORE + "RocksDBOptions");
        BackendProviderFactory.register("rocksdb", STORE + "RocksDBStoreProvider");
    }

    @Override
    public GraphStore open(Path folder, GraphShape shape, Durability durability) {
        HugeGraph graph = graph(folder, durability);
        declare(graph.schema(), shape);
        return new GremlinStore(graph, false, () -> {});
    }

    @Override
    public LinkStore openLinks(Path folder, Durability durability) {
        HugeGraph graph = graph(folder, durability);
        SchemaManager schema = graph.schema();
        schema.propertyKey("version").asInt().create();
        schema.propertyKey("time").asLong().create();
        schema.propertyKey("data").asText().create();
        schema.vertexLabel("node").properties("version", "time", "data").useAutomaticId().create();
        schema.edgeLabel("link")
                .sourceLabel("node")
                .targetLabel("node")
                .properties("time", "data")
                .create();
        return new GremlinLinks(graph, () -> {});
    }

    private static HugeGraph graph(Path folder, Durability durability) {
        if (durability != Durability.WRITTEN) {
            throw new IllegalArgumentException(
                    "HugeGraph on RocksDB writes its log and does not sync");
        }
        PropertiesConfiguration options = new PropertiesConfiguration();
        options.setProperty("backend", "rocksdb");
        options.setProperty("serializer", "binary");
        options.setProperty("store", "graph" + opened++);
        options.setProperty("rocksdb.data_path", folder.resolve("data").toString());
        options.setProperty("rocksdb.wal_path", folder.resolve("wal").toString());
        HugeGraph graph = HugeFactory.open(options);
        graph.initBackend();
        graph.serverStarted(GlobalMasterInfo.master("server1"));
        return graph;
    }

    private static void declare(SchemaManager schema, GraphShape shape) {
        schema.propertyKey("name").asText().create();
        schema.propertyKey("city").asText().create();
        schema.propertyKey("age").asInt().create();
        VertexLabel.Builder person = schema.vertexLabel("person").properties("name", "city", "age");
        (shape == GraphShape.ALLOTTED ? person.useAutomaticId() : person.primaryKeys("name"))
                .create();
        schema.edgeLabel("knows").sourceLabel("person").targetLabel("person").create();
        if (shape == GraphShape.INDEXED) {
            schema.indexLabel("personByCity").onV("person").secondary().by("city").create();
            schema.indexLabel("personByAge").onV("person").range().by("age").create();
        }
    }
}

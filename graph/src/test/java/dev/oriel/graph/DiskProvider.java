package dev.oriel.graph;

import java.io.File;
import java.util.Map;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.LoadGraphWith;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.jspecify.annotations.Nullable;

/// Graphs on the disk for TinkerPop's suites.
public class DiskProvider extends MemoryProvider {
    @Override
    public Map<String, Object> getBaseConfiguration(
            String graphName,
            Class<?> test,
            String method,
            LoadGraphWith.@Nullable GraphData loadGraphWith) {
        Map<String, Object> configuration =
                super.getBaseConfiguration(graphName, test, method, loadGraphWith);
        configuration.put(OrielGraph.PATH, makeTestDirectory(graphName, test, method));
        return configuration;
    }

    @Override
    public void clear(@Nullable Graph graph, Configuration configuration) throws Exception {
        super.clear(graph, configuration);
        File folder = new File(configuration.getString(OrielGraph.PATH));
        if (folder.exists()) {
            deleteDirectory(folder);
        }
    }
}

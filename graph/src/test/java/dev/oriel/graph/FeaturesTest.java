package dev.oriel.graph;

import io.cucumber.junit.Cucumber;
import io.cucumber.junit.CucumberOptions;
import org.junit.runner.RunWith;

/// A part of TinkerPop's Gherkin features, over declared and indexed keys; `FeaturesSuite` and its siblings run
/// all of them.
@RunWith(Cucumber.class)
@CucumberOptions(
        tags = "not @RemoteOnly and not @AllowNullPropertyValues",
        glue = "org.apache.tinkerpop.gremlin.features",
        objectFactory = FeatureWorlds.WithSchema.class,
        features = {
            "classpath:/org/apache/tinkerpop/gremlin/test/features/branch",
            "classpath:/org/apache/tinkerpop/gremlin/test/features/integrated",
            "classpath:/org/apache/tinkerpop/gremlin/test/features/filter/Has.feature",
            "classpath:/org/apache/tinkerpop/gremlin/test/features/filter/Range.feature",
            "classpath:/org/apache/tinkerpop/gremlin/test/features/filter/Where.feature",
            "classpath:/org/apache/tinkerpop/gremlin/test/features/map/Call.feature",
            "classpath:/org/apache/tinkerpop/gremlin/test/features/map/Count.feature",
            "classpath:/org/apache/tinkerpop/gremlin/test/features/map/MergeVertex.feature",
            "classpath:/org/apache/tinkerpop/gremlin/test/features/map/Order.feature",
            "classpath:/org/apache/tinkerpop/gremlin/test/features/map/PageRank.feature",
            "classpath:/org/apache/tinkerpop/gremlin/test/features/map/Vertex.feature"
        },
        plugin = "dev.oriel.graph.FeatureCount")
public class FeaturesTest {}

package dev.oriel.graph;

import io.cucumber.junit.Cucumber;
import io.cucumber.junit.CucumberOptions;
import org.junit.runner.RunWith;

/// TinkerPop's Gherkin features, over declared and indexed keys on the disk.
@RunWith(Cucumber.class)
@CucumberOptions(
        tags = "not @RemoteOnly and not @AllowNullPropertyValues",
        glue = "org.apache.tinkerpop.gremlin.features",
        objectFactory = FeatureWorlds.WithSchemaOnDisk.class,
        features = "classpath:/org/apache/tinkerpop/gremlin/test/features",
        plugin = "dev.oriel.graph.FeatureCount")
public class FeaturesSchemaDiskSuite {}

package dev.oriel.graph;

import io.cucumber.junit.Cucumber;
import io.cucumber.junit.CucumberOptions;
import org.apache.tinkerpop.gremlin.features.World;
import org.junit.runner.RunWith;

/// The subset of TinkerPop's Gherkin features that suits a graph computer, run on ours.
@RunWith(Cucumber.class)
@CucumberOptions(
        tags = World.GRAPHCOMPUTER_TAG_FILTER + " and not @AllowNullPropertyValues",
        glue = "org.apache.tinkerpop.gremlin.features",
        objectFactory = FeatureWorlds.OnComputer.class,
        features = "classpath:/org/apache/tinkerpop/gremlin/test/features",
        plugin = "dev.oriel.graph.FeatureCount")
public class FeaturesComputerSuite {}

package dev.oriel.graph;

import io.cucumber.plugin.ConcurrentEventListener;
import io.cucumber.plugin.event.EventPublisher;
import io.cucumber.plugin.event.Status;
import io.cucumber.plugin.event.TestCaseFinished;
import io.cucumber.plugin.event.TestRunFinished;
import java.util.EnumMap;
import java.util.Map;

/// Prints the number of scenarios by outcome at the end of a run of features.
public final class FeatureCount implements ConcurrentEventListener {
    private final Map<Status, Integer> counts = new EnumMap<>(Status.class);

    @Override
    public void setEventPublisher(EventPublisher publisher) {
        publisher.registerHandlerFor(
                TestCaseFinished.class,
                event -> counts.merge(event.getResult().getStatus(), 1, Integer::sum));
        publisher.registerHandlerFor(
                TestRunFinished.class, event -> System.out.println("features: " + counts));
    }
}

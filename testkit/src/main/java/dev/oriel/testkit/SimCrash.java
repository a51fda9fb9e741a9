package dev.oriel.testkit;

/// The simulated machine is dead. It is an error, so that code that recovers from exceptions does not mistake it
/// for one: only the test that planned the crash should catch it.
public final class SimCrash extends Error {
    private static final long serialVersionUID = 1L;

    SimCrash(String operation) {
        super("the simulated machine died at " + operation);
    }
}

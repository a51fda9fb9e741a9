package dev.oriel.testkit;

/// The simulated machine is dead. An error, so that nothing that recovers from exceptions mistakes
/// it for one: a test catches it where it planned the crash, and nobody else should.
public final class SimCrash extends Error {
    private static final long serialVersionUID = 1L;

    SimCrash(String operation) {
        super("the simulated machine died at " + operation);
    }
}

package dev.oriel.testkit;

/// The simulated machine is dead. It is an error, so that code recovering from exceptions does not catch it: only the
/// test that planned the crash should.
public final class SimCrash extends Error {
    private static final long serialVersionUID = 1L;

    SimCrash(String operation) {
        super("the simulated machine died at " + operation);
    }
}

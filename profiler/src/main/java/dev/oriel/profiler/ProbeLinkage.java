package dev.oriel.profiler;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/// The source of the probes of methods that the [Agent] has instrumented. It is public for the JVM, which calls it
/// when such a method first runs. It is of no use to other callers.
public final class ProbeLinkage {
    private ProbeLinkage() {}

    /// Bootstrap of a dynamic constant: the probe of a method.
    public static Probe constant(
            MethodHandles.Lookup caller, String name, Class<?> type, String owner, String method) {
        return Probe.named(owner, method);
    }

    /// Bootstrap of a call site, for classes from before dynamic constants: returns the probe.
    public static CallSite callSite(
            MethodHandles.Lookup caller,
            String name,
            MethodType type,
            String owner,
            String method) {
        Probe probe = Probe.named(owner, method);
        return new ConstantCallSite(MethodHandles.constant(Probe.class, probe));
    }
}

package dev.oriel.server;

/// What Jazzer calls: one of [FuzzTargets], whose name is the system property `target`.
public final class JazzerTarget {
    private static final FuzzTargets.Target TARGET =
            FuzzTargets.Target.valueOf(System.getProperty("target", "TEXT"));

    private JazzerTarget() {}

    /// One input.
    public static void fuzzerTestOneInput(byte[] input) {
        TARGET.run(input);
    }
}

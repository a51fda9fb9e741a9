package dev.oriel.server;

/// What Jazzer calls: one of [FuzzTargets], whose name is the system property `target`.
public final class JazzerTarget {
    private static final FuzzTargets.Target TARGET =
            FuzzTargets.Target.valueOf(System.getProperty("target", "TEXT"));

    private JazzerTarget() {}

    /// Before the first input, whose time is limited.
    public static void fuzzerInitialize() {
        FuzzTargets.begin();
    }

    /// One input.
    public static void fuzzerTestOneInput(byte[] input) {
        TARGET.run(input);
    }
}

package dev.oriel.sql;

/// Entry point for Jazzer: calls one of [FuzzTargets], named by the system property `target`.
public final class SqlJazzerTarget {
    private static final FuzzTargets.Target TARGET =
            FuzzTargets.Target.valueOf(System.getProperty("target", "STATEMENT"));

    private SqlJazzerTarget() {}

    /// Before the first input, whose time is limited.
    public static void fuzzerInitialize() {
        FuzzTargets.session();
    }

    /// One input.
    public static void fuzzerTestOneInput(byte[] input) {
        FuzzTargets.run(TARGET, input);
    }
}

package dev.oriel.sql;

/// What Jazzer calls: one of [FuzzTargets], whose name is the system property `target`.
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

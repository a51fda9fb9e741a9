package dev.oriel.profiler;

/// The interval at which async-profiler samples each thread by the wall clock, from the settings in its recording.
/// Confined to one thread.
final class WallInterval {
    /// The default interval, which async-profiler writes as 0.
    static final long USUAL_NANOS = 50_000_000;

    private static final long UNSAID = -1;

    private long wall = UNSAID;
    private long interval = UNSAID;
    private boolean only;

    /// Reads a setting of its samples, or of the recording.
    void setting(String name, String value) {
        switch (name) {
            case "wall" -> wall = number(value);
            case "interval" -> interval = number(value);
            case "event" -> only = value.equals("wall");
            default -> {}
        }
    }

    /// Nanoseconds; 0 if the recording does not tell.
    long nanos() {
        long said = wall == UNSAID && only ? interval : wall;
        return said == 0 ? USUAL_NANOS : Math.max(0, said);
    }

    private static long number(String value) {
        try {
            return Math.max(UNSAID, Long.parseLong(value));
        } catch (NumberFormatException e) {
            return UNSAID; // not a number of nanoseconds
        }
    }
}

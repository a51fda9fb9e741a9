package dev.oriel.profiler;

/// Measures what a probe costs: off, counted, timed, and with allocation; the least of many batches,
/// in nanoseconds a call, beside the same loop without a probe. Run by hand, on a machine with nothing
/// else to do.
public final class ProbeLoops {
    private static final Probe OUTER = Probe.named("loops", "outer");
    private static final Probe INNER = Probe.named("loops", "inner");
    private static final int CALLS = 2_000;
    private static final int BATCHES = 15_000;

    private ProbeLoops() {}

    /// Prints the table.
    public static void main(String[] arguments) {
        double without = least(false);
        System.out.printf("without a probe      %6.2f ns%n", without);
        System.out.printf("off                  %6.2f ns more%n", least(true) - without);
        TreeOptions timed = TreeOptions.USUAL.withAutoTune(false);
        print("timed, histogram", timed, without);
        print("timed, allocation", timed.withAllocation(true), without);
        print("counted", TreeOptions.USUAL, without);
        System.out.println("calibration says     " + Calibration.cost(timed));
    }

    private static void print(String name, TreeOptions options, double without) {
        Profile profile = Profile.start(ProfileOptions.exactOnly().withTree(options));
        long outer = OUTER.enter();
        double least = least(true);
        OUTER.exit(outer);
        ProfileResult result = profile.stop();
        long untimed = result.roots().getFirst().children().getFirst().detail().untimedCalls();
        System.out.printf("%-20s %6.2f ns more   (%d untimed)%n", name, least - without, untimed);
    }

    private static double least(boolean probed) {
        double least = Double.MAX_VALUE;
        for (int batch = 0; batch < BATCHES; batch++) {
            long begin = System.nanoTime();
            long sum = probed ? probed() : plain();
            long nanos = System.nanoTime() - begin;
            if (sum == 42) {
                throw new IllegalStateException("the work was not done");
            }
            least = Math.min(least, (double) nanos / CALLS);
        }
        return least;
    }

    private static long plain() {
        long x = 1;
        for (int i = 0; i < CALLS; i++) {
            x = step(x, i);
        }
        return x;
    }

    private static long probed() {
        long x = 1;
        for (int i = 0; i < CALLS; i++) {
            long entered = INNER.enter();
            try {
                x = step(x, i);
            } finally {
                INNER.exit(entered);
            }
        }
        return x;
    }

    private static long step(long x, int i) {
        return (x ^ i) * 0x9E3779B97F4A7C15L;
    }
}

package dev.oriel.compare.pairs;

/// Serves requests while a thread behind them sweeps a table. Changed: it sweeps twice as much.
public final class Sweeping {
    private static final int[] TABLE = Work.numbers(100_000);
    private static int times = 2;
    private static volatile long swept;

    private Sweeping() {}

    public static void main(String[] words) {
        times *= Work.isChanged(words) ? 2 : 1;
        Thread sweeper =
                new Thread(
                        () -> {
                            while (true) {
                                swept = sweep();
                                Work.sleep(2);
                            }
                        },
                        "sweeper");
        sweeper.setDaemon(true);
        sweeper.start();
        Work.run(words, Sweeping::serve);
    }

    static long serve(long seed) {
        return Work.steps(seed + swept, 100_000);
    }

    private static long sweep() {
        long sum = 0;
        for (int i = 0; i < times; i++) {
            for (int each : TABLE) {
                sum = sum * 31 + each;
            }
        }
        return sum;
    }
}

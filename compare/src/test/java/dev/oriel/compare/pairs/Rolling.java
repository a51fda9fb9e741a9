package dev.oriel.compare.pairs;

/// Keeps the answers of the last requests. Changed: it keeps eight times as many bytes of each, which the collector
/// copies.
public final class Rolling {
    private static final byte[][] KEPT = new byte[20_000][];
    private static int bytes = 100;
    private static int at;

    private Rolling() {}

    public static void main(String[] words) {
        bytes *= Work.isChanged(words) ? 8 : 1;
        Work.run(words, Rolling::request);
    }

    static long request(long seed) {
        long sum = 0;
        for (int i = 0; i < 100; i++) {
            sum += render(seed + i);
            remember((byte) sum);
        }
        return sum;
    }

    private static long render(long seed) {
        String page = "page " + seed + ": ";
        return Work.steps(page.length() + seed, 400);
    }

    private static void remember(byte first) {
        byte[] answer = new byte[bytes];
        answer[0] = first;
        KEPT[at] = answer;
        at = (at + 1) % KEPT.length;
    }
}

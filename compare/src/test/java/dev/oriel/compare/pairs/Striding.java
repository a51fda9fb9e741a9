package dev.oriel.compare.pairs;

/// Looks at the points of an image. Changed: brightness is added up by columns instead of rows.
public final class Striding {
    private static final int SIDE = 1024;
    private static boolean changed;

    private Striding() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        int[] image = Work.numbers(SIDE * SIDE);
        Work.run(words, seed -> look(image, (int) (seed & 7)));
    }

    static long look(int[] image, int seed) {
        long sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += edges(image, seed + i) + darkest(image, seed + i);
        }
        return sum + brightness(image);
    }

    private static long brightness(int[] image) {
        int far = changed ? SIDE : 1;
        int near = changed ? 1 : SIDE;
        long sum = 0;
        for (int line = 0; line < 64; line++) {
            for (int i = 0; i < SIDE; i++) {
                sum += image[line * near + i * far];
            }
        }
        return sum;
    }

    private static long edges(int[] image, int seed) {
        long sum = 0;
        for (int i = seed; i < 40 * SIDE; i++) {
            sum += Math.abs(image[i] - image[i + 1]);
        }
        return sum;
    }

    private static long darkest(int[] image, int seed) {
        int least = Integer.MAX_VALUE;
        for (int i = seed; i < 80 * SIDE; i++) {
            least = Math.min(least, image[i]);
        }
        return least;
    }
}

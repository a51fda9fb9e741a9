package dev.oriel.compare.pairs;

/// Measures ways between points that live for one call. Changed: the last point is remembered, so it must be allocated.
public final class Points {
    private static boolean changed;
    private static Point last = new Point(0, 0);

    private Points() {}

    private record Point(double x, double y) {
        Point minus(Point other) {
            return new Point(x - other.x, y - other.y);
        }

        double length() {
            return Math.sqrt(x * x + y * y);
        }
    }

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, Points::way);
    }

    static long way(long seed) {
        double sum = last.x;
        for (int i = 0; i < 1_000; i++) {
            sum += distance(i, seed & 15) + turn(i);
        }
        return (long) sum;
    }

    private static double distance(int i, long seed) {
        Point way = new Point(i, seed).minus(new Point(seed, i));
        if (changed) {
            last = way;
        }
        return way.length();
    }

    private static double turn(int i) {
        double angle = i;
        for (int k = 0; k < 6; k++) {
            angle = angle * 0.5 + 1 / (angle + 2);
        }
        return angle;
    }
}

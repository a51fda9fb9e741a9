package dev.oriel.compare.pairs;

/// Multiplies matrices and adds them up. Changed: the product reads the second by columns, and not its
/// transposed copy by rows.
public final class Matrix {
    private static final int SIDE = 128;
    private static boolean changed;

    private Matrix() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        double[] left = filled(3);
        double[] right = filled(5);
        Work.run(words, seed -> multiply(left, right) + seed % 2);
    }

    static long multiply(double[] left, double[] right) {
        double[] turned = transposed(right);
        double[] other = changed ? right : turned;
        double[] product = new double[SIDE * SIDE];
        for (int row = 0; row < SIDE; row++) {
            for (int column = 0; column < SIDE; column++) {
                product[row * SIDE + column] = dot(left, other, row, column);
            }
        }
        return (long) trace(product);
    }

    private static double[] transposed(double[] matrix) {
        double[] turned = new double[SIDE * SIDE];
        for (int i = 0; i < SIDE; i++) {
            for (int k = 0; k < SIDE; k++) {
                turned[k * SIDE + i] = matrix[i * SIDE + k];
            }
        }
        return turned;
    }

    private static double dot(double[] left, double[] right, int row, int column) {
        int from = changed ? column : column * SIDE;
        int step = changed ? SIDE : 1;
        double sum = 0;
        for (int i = 0; i < SIDE; i++) {
            sum += left[row * SIDE + i] * right[from + i * step];
        }
        return sum;
    }

    private static double trace(double[] matrix) {
        double sum = 0;
        for (int round = 0; round < 500; round++) {
            for (int i = 0; i < SIDE; i++) {
                sum += matrix[i * SIDE + i] * round;
            }
        }
        return sum;
    }

    private static double[] filled(int factor) {
        double[] matrix = new double[SIDE * SIDE];
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] = i * factor % 17;
        }
        return matrix;
    }
}

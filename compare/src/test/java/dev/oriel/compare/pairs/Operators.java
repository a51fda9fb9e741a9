package dev.oriel.compare.pairs;

/// Runs a small machine whose instructions are constants of an enum. Changed: one of them reduces its result by
/// division.
public final class Operators {
    private static boolean changed;

    private Operators() {}

    private enum Operator {
        ADD {
            @Override
            long apply(long value, int by) {
                return Work.steps(value + by, 30);
            }
        },
        POWER {
            @Override
            long apply(long value, int by) {
                long power = 1;
                for (int i = 0; i < 16; i++) {
                    power = power * (value + by) + 1;
                    power = changed ? power % 1_000_000_007 : power & 0x3fffffff;
                }
                return power;
            }
        },
        TURN {
            @Override
            long apply(long value, int by) {
                return Long.reverse(Work.steps(value, 30)) >>> by;
            }
        };

        abstract long apply(long value, int by);
    }

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Operator[] code = new Operator[300];
        for (int i = 0; i < code.length; i++) {
            code[i] = Operator.values()[i * 7 % 11 % 3];
        }
        Work.run(words, seed -> execute(code, seed));
    }

    private static long execute(Operator[] code, long seed) {
        long value = seed;
        for (int i = 0; i < code.length; i++) {
            value = code[i].apply(value, i & 15);
        }
        return value;
    }
}

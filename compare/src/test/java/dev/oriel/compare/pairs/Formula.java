package dev.oriel.compare.pairs;

/// Evaluates a formula, a deep tree of four kinds of nodes. Changed: a multiplication checks for an overflow by
/// dividing.
public final class Formula {
    private static boolean changed;

    private Formula() {}

    private sealed interface Node {
        long value(long x);
    }

    private record Plus(Node left, Node right) implements Node {
        @Override
        public long value(long x) {
            return left.value(x) + right.value(x);
        }
    }

    private record Times(Node left, Node right) implements Node {
        @Override
        public long value(long x) {
            long a = left.value(x);
            long b = right.value(x);
            long product = a * b;
            if (changed && a != 0 && product / a != b) {
                product ^= product % 1_000_003;
            }
            return product;
        }
    }

    private record Negative(Node of) implements Node {
        @Override
        public long value(long x) {
            return -of.value(x);
        }
    }

    private record Variable(int shift) implements Node {
        @Override
        public long value(long x) {
            return x + shift;
        }
    }

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Node root = tree(9);
        Work.run(words, seed -> evaluate(root, seed));
    }

    private static long evaluate(Node root, long seed) {
        long sum = 0;
        for (int i = 0; i < 100; i++) {
            sum += root.value(seed + i);
        }
        return sum;
    }

    private static Node tree(int depth) {
        if (depth == 0) {
            return new Variable(3);
        }
        return switch (depth % 3) {
            case 0 -> new Plus(tree(depth - 1), tree(depth - 1));
            case 1 -> new Times(tree(depth - 1), tree(depth - 1));
            default -> new Negative(new Plus(tree(depth - 1), new Variable(depth)));
        };
    }
}

package dev.oriel.compare.pairs;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Finds numbers in a binary tree by recursion. Changed: numbers are inserted almost in order, so the tree is deep.
public final class Branches {
    private Branches() {}

    private static final class Node {
        private final int key;
        private @Nullable Node left;
        private @Nullable Node right;

        Node(int key) {
            this.key = key;
        }

        int find(int wanted) {
            Node next = wanted < key ? left : right;
            return wanted == key || next == null ? key : next.find(wanted);
        }

        void insert(int wanted) {
            if (wanted < key) {
                if (left == null) {
                    left = new Node(wanted);
                } else {
                    left.insert(wanted);
                }
            } else if (right == null) {
                right = new Node(wanted);
            } else {
                right.insert(wanted);
            }
        }
    }

    public static void main(String[] words) {
        int[] keys = Work.numbers(1_000);
        int[] inserted = keys.clone();
        if (Work.isChanged(words)) {
            for (int from = 0; from < inserted.length; from += 50) {
                Arrays.sort(inserted, from, from + 50);
            }
        }
        Node root = new Node(inserted[0]);
        for (int key : inserted) {
            root.insert(key);
        }
        Work.run(words, seed -> search(root, keys) + seed % 2);
    }

    private static long search(Node root, int[] keys) {
        long sum = 0;
        for (int key : keys) {
            sum += root.find(key) + show(key);
        }
        return sum;
    }

    private static long show(int key) {
        return Work.steps(key, 40);
    }
}

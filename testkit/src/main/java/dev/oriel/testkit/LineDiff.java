package dev.oriel.testkit;

import java.util.List;

/// The difference between two texts, line by line: `-` only expected, `+` only found.
final class LineDiff {
    private LineDiff() {}

    static String between(String expected, String found) {
        List<String> a = expected.lines().toList();
        List<String> b = found.lines().toList();
        int[][] common = commonAfter(a, b);
        StringBuilder diff = new StringBuilder();
        int i = 0;
        int j = 0;
        while (i < a.size() || j < b.size()) {
            if (i < a.size() && j < b.size() && a.get(i).equals(b.get(j))) {
                diff.append("  ").append(a.get(i++)).append('\n');
                j++;
            } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
                diff.append("- ").append(a.get(i++)).append('\n');
            } else {
                diff.append("+ ").append(b.get(j++)).append('\n');
            }
        }
        return diff.toString();
    }

    /// Length of the longest common subsequence of the lines from i and from j on.
    private static int[][] commonAfter(List<String> a, List<String> b) {
        int[][] common = new int[a.size() + 1][b.size() + 1];
        for (int i = a.size() - 1; i >= 0; i--) {
            for (int j = b.size() - 1; j >= 0; j--) {
                common[i][j] =
                        a.get(i).equals(b.get(j))
                                ? common[i + 1][j + 1] + 1
                                : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        return common;
    }
}

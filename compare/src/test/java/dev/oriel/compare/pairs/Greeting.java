package dev.oriel.compare.pairs;

import java.util.List;

/// Writes letters. Changed: names are joined by `+=`, which copies what is there each time.
public final class Greeting {
    private static final List<String> NAMES =
            List.of(
                    "Anna", "Berta", "Carl", "Dora", "Emil", "Frieda", "Gustav", "Hanna", "Ida",
                    "Jakob");
    private static boolean changed;

    private Greeting() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, Greeting::letter);
    }

    static long letter(long seed) {
        long length = 0;
        for (int i = 0; i < 20; i++) {
            length += (head(i) + names() + body(seed)).length();
        }
        return length;
    }

    private static String head(int number) {
        StringBuilder head = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            head.append("letter ").append(number + i).append('\n');
        }
        return head.toString();
    }

    private static String names() {
        if (!changed) {
            return String.join(", ", NAMES);
        }
        String all = "";
        for (String name : NAMES) {
            all += all.isEmpty() ? name : ", " + name;
        }
        return all;
    }

    private static String body(long seed) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            body.append(seed + i).append(' ');
        }
        return body.toString();
    }
}

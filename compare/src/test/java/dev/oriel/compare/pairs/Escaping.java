package dev.oriel.compare.pairs;

/// Renders pages of HTML. Changed: characters are escaped by three replacements instead of one pass.
public final class Escaping {
    private static final String[] TEXTS = {
        "a < b", "plain text without any of them", "x & y", "if a > b & c", "end"
    };
    private static boolean changed;

    private Escaping() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, Escaping::page);
    }

    static long page(long seed) {
        StringBuilder page = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            row(page, TEXTS[i % TEXTS.length], seed);
        }
        return page.length();
    }

    private static void row(StringBuilder page, String text, long seed) {
        page.append("<td class=\"")
                .append(style(seed))
                .append("\">")
                .append(escape(text))
                .append("</td>");
    }

    private static String escape(String text) {
        if (changed) {
            return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        }
        StringBuilder escaped = new StringBuilder(text.length() + 8);
        for (int i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                default -> escaped.append(text.charAt(i));
            }
        }
        return escaped.toString();
    }

    private static long style(long seed) {
        return Work.steps(seed, 60) & 7;
    }
}

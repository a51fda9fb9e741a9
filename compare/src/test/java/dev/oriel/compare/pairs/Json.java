package dev.oriel.compare.pairs;

/// Reads JSON by recursive descent. Changed: each text is searched for escapes before it is read.
public final class Json {
    private static final String ITEM =
            "{\"name\":\"lamp number one\",\"price\":3990,\"tags\":[\"light\",\"home\"],"
                    + "\"stock\":{\"here\":12,\"there\":40012}},";
    private static final String TEXT = "[" + ITEM.repeat(60) + "0]";
    private static boolean changed;

    private Json() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, seed -> read(TEXT) + seed % 2);
    }

    static long read(String text) {
        return new Reader(text).value();
    }

    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        long value() {
            return switch (text.charAt(at)) {
                case '{' -> object();
                case '[' -> array();
                case '"' -> string();
                default -> number();
            };
        }

        private long object() {
            long hash = 1;
            while (text.charAt(at) != '}') {
                at++;
                hash = 31 * hash + string();
                at++;
                hash = 31 * hash + value();
            }
            at++;
            return hash;
        }

        private long array() {
            long hash = 2;
            while (text.charAt(at) != ']') {
                at++;
                hash = 31 * hash + value();
            }
            at++;
            return hash;
        }

        private long string() {
            int end = text.indexOf('"', at + 1);
            long hash = 3;
            if (changed) {
                for (int i = at + 1; i < end; i++) {
                    hash += text.charAt(i) == '\\' ? 1 : 0;
                }
            }
            for (int i = at + 1; i < end; i++) {
                hash = 31 * hash + text.charAt(i);
            }
            at = end + 1;
            return hash;
        }

        private long number() {
            long number = 0;
            while (Character.isDigit(text.charAt(at))) {
                number = 10 * number + text.charAt(at) - '0';
                at++;
            }
            return number;
        }
    }
}

package dev.oriel.table.value;

/// Text without the differences of case: the upper case of each character in lower case, as
/// `String.equalsIgnoreCase` compares. It depends on no language. The German sharp s stays, as its upper case has two
/// characters.
public final class FoldedText {
    private FoldedText() {}

    /// The folded form of `text`; `text` itself if that is folded.
    public static String of(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80 ? folded(c) != c || Character.isSurrogate(c) : c >= 'A' && c <= 'Z') {
                return folded(text, i);
            }
        }
        return text;
    }

    private static String folded(String text, int from) {
        StringBuilder folded = new StringBuilder(text.length()).append(text, 0, from);
        for (int i = from; i < text.length(); ) {
            int character = text.codePointAt(i);
            folded.appendCodePoint(folded(character));
            i += Character.charCount(character);
        }
        return folded.toString();
    }

    private static int folded(int character) {
        return Character.toLowerCase(Character.toUpperCase(character));
    }
}

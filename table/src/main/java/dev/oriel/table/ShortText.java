package dev.oriel.table;

/// Texts for messages.
final class ShortText {
    static final int CHARACTERS_MAX = 60;

    private ShortText() {}

    /// `text`, cut if it is too long for a message.
    static String of(String text) {
        return text.length() <= CHARACTERS_MAX ? text : text.substring(0, CHARACTERS_MAX) + "...";
    }
}

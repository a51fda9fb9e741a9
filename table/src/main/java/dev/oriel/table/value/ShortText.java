package dev.oriel.table.value;

/// Texts for messages.
public final class ShortText {
    public static final int CHARACTERS_MAX = 60;

    private ShortText() {}

    /// `text`, cut if it is too long for a message.
    public static String of(String text) {
        return text.length() <= CHARACTERS_MAX ? text : text.substring(0, CHARACTERS_MAX) + "...";
    }
}

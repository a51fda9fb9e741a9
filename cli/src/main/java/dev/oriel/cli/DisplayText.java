package dev.oriel.cli;

import org.jline.utils.WCWidth;

/// Text as a terminal shows it: its width, and where to cut it. A character takes no column (combining), one, or
/// two (most of Chinese, Japanese and Korean).
final class DisplayText {
    private static final String ELLIPSIS = "\u2026";
    private static final char CONTROL_PICTURES = '\u2400';
    private static final char DELETE = '\u007f';
    private static final char DELETE_PICTURE = '\u2421';

    private DisplayText() {}

    /// Returns `text` with a picture in place of each control character, which would break a table or, worse,
    /// control the terminal.
    static String printable(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return replaceControls(text);
            }
        }
        return text;
    }

    private static String replaceControls(String text) {
        StringBuilder printable = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ') {
                printable.append((char) (CONTROL_PICTURES + c));
            } else if (c == DELETE) {
                printable.append(DELETE_PICTURE);
            } else {
                printable.append(Character.isISOControl(c) ? '\ufffd' : c);
            }
        }
        return printable.toString();
    }

    /// Returns the number of columns that `text` takes.
    static int width(String text) {
        int width = 0;
        int i = 0;
        while (i < text.length()) {
            int c = text.codePointAt(i);
            width += Math.max(0, WCWidth.wcwidth(c));
            i += Character.charCount(c);
        }
        return width;
    }

    /// Returns `text` if it fits in `columns`, else its beginning and an ellipsis.
    static String cut(String text, int columns) {
        if (text.length() <= columns / 2 || width(text) <= columns) {
            return text;
        }
        int width = 0;
        int i = 0;
        while (i < text.length()) {
            int c = text.codePointAt(i);
            width += Math.max(0, WCWidth.wcwidth(c));
            if (width > columns - 1) {
                break;
            }
            i += Character.charCount(c);
        }
        return text.substring(0, i) + ELLIPSIS;
    }
}

package dev.oriel.sql.value;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// Reads bytes and UUIDs in PostgreSQL's forms. Bytes are `\x` and pairs of hexadecimal digits, with blanks allowed
/// between pairs. Or they are UTF-8 text with the escapes `\\` for a backslash and `\ooo` for a byte in octal.
final class BytesText {
    private static final int UUID_BYTES = 16;

    private BytesText() {}

    /// @throws IllegalArgumentException if `text` has another form
    static byte[] bytes(String text) {
        if (text.startsWith("\\x")) {
            return hexadecimal(text);
        }
        if (text.indexOf('\\') < 0) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length());
        int from = 0;
        for (int at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', from)) {
            out.writeBytes(text.substring(from, at).getBytes(StandardCharsets.UTF_8));
            if (text.startsWith("\\", at + 1)) {
                out.write('\\');
                from = at + 2;
            } else {
                out.write(octal(text, at + 1));
                from = at + 4;
            }
        }
        out.writeBytes(text.substring(from).getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    private static int octal(String text, int at) {
        if (at + 3 > text.length()) {
            throw unfit(text);
        }
        int value = 0;
        for (int i = at; i < at + 3; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > (i == at ? 3 : 7)) {
                throw unfit(text);
            }
            value = 8 * value + digit;
        }
        return value;
    }

    private static byte[] hexadecimal(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() / 2);
        int at = 2;
        while (at < text.length()) {
            if (" \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            } else {
                out.write(pair(text, at));
                at += 2;
            }
        }
        return out.toByteArray();
    }

    private static int pair(String text, int at) {
        int high = at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
        int low = at + 1 < text.length() ? Character.digit(text.charAt(at + 1), 16) : -1;
        if (high < 0 || low < 0 || text.charAt(at) > 'f' || text.charAt(at + 1) > 'f') {
            throw unfit(text);
        }
        return 16 * high + low;
    }

    /// 32 hexadecimal digits; a hyphen may follow each group of four but the last, and braces may enclose all.
    ///
    /// @throws IllegalArgumentException if `text` has another form
    static byte[] uuid(String text) {
        boolean braces = text.startsWith("{");
        int at = braces ? 1 : 0;
        byte[] bytes = new byte[UUID_BYTES];
        for (int i = 0; i < UUID_BYTES; i++) {
            bytes[i] = (byte) pair(text, at);
            at += 2;
            if (i % 2 == 1 && i < UUID_BYTES - 1 && text.startsWith("-", at)) {
                at++;
            }
        }
        if (!text.substring(at).equals(braces ? "}" : "")) {
            throw unfit(text);
        }
        return bytes;
    }

    private static IllegalArgumentException unfit(String text) {
        return new IllegalArgumentException("no bytes: " + text);
    }
}

package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Texts;
import dev.oriel.table.value.FoldedText;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The bodies of the functions of text.
public final class TextFunctions {
    private TextFunctions() {}

    public static @Nullable String lower(List<Scalar> arguments, Frame frame) {
        String text = arguments.get(0).evalText(frame);
        return text == null ? null : text.toLowerCase(Locale.ROOT);
    }

    public static @Nullable String upper(List<Scalar> arguments, Frame frame) {
        String text = arguments.get(0).evalText(frame);
        return text == null ? null : text.toUpperCase(Locale.ROOT);
    }

    public static @Nullable String folded(List<Scalar> arguments, Frame frame) {
        String text = arguments.get(0).evalText(frame);
        return text == null ? null : FoldedText.of(text);
    }

    public static long length(List<Scalar> arguments, Frame frame) {
        String text = arguments.get(0).evalText(frame);
        frame.isNull = text == null;
        return text == null ? 0 : text.codePointCount(0, text.length());
    }

    public static long utf8Length(List<Scalar> arguments, Frame frame) {
        String text = arguments.get(0).evalText(frame);
        frame.isNull = text == null;
        return text == null ? 0 : Texts.utf8Length(text);
    }

    public static long bytesLength(List<Scalar> arguments, Frame frame) {
        byte[] bytes = arguments.get(0).evalBytes(frame);
        frame.isNull = bytes == null;
        return bytes == null ? 0 : bytes.length;
    }

    public static @Nullable String substring(List<Scalar> arguments, Frame frame, Place place) {
        String text = arguments.get(0).evalText(frame);
        long from = text == null ? 0 : arguments.get(1).evalLong(frame);
        if (text == null || frame.isNull) {
            return null;
        }
        if (arguments.size() == 2) {
            return Texts.substring(text, from, Long.MAX_VALUE);
        }
        long length = arguments.get(2).evalLong(frame);
        if (frame.isNull) {
            return null;
        }
        if (length < 0) {
            throw place.error(Kind.SUBSTRING, "The length of a SUBSTRING cannot be negative");
        }
        return Texts.substring(text, from, length);
    }

    public static @Nullable String left(List<Scalar> arguments, Frame frame) {
        return end(arguments, frame, true);
    }

    public static @Nullable String right(List<Scalar> arguments, Frame frame) {
        return end(arguments, frame, false);
    }

    private static @Nullable String end(List<Scalar> arguments, Frame frame, boolean left) {
        String text = arguments.get(0).evalText(frame);
        long count = text == null ? 0 : arguments.get(1).evalLong(frame);
        return text == null || frame.isNull ? null : Texts.end(text, count, left);
    }

    public static @Nullable String trim(List<Scalar> arguments, Frame frame) {
        return trim(arguments, frame, true, true);
    }

    public static @Nullable String trimLeft(List<Scalar> arguments, Frame frame) {
        return trim(arguments, frame, true, false);
    }

    public static @Nullable String trimRight(List<Scalar> arguments, Frame frame) {
        return trim(arguments, frame, false, true);
    }

    private static @Nullable String trim(
            List<Scalar> arguments, Frame frame, boolean left, boolean right) {
        String text = arguments.get(0).evalText(frame);
        String characters = arguments.size() == 2 ? arguments.get(1).evalText(frame) : " ";
        return text == null || characters == null
                ? null
                : Texts.trim(text, characters, left, right);
    }

    public static @Nullable String replace(List<Scalar> arguments, Frame frame) {
        String text = arguments.get(0).evalText(frame);
        String from = arguments.get(1).evalText(frame);
        String to = arguments.get(2).evalText(frame);
        if (text == null || from == null || to == null) {
            return null;
        }
        return from.isEmpty() ? text : Texts.replace(text, from, to);
    }

    /// CONCAT ignores NULLs; the operator `||` ([Concatenation]) does not.
    public static String concat(List<Scalar> arguments, Frame frame) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < arguments.size(); i++) {
            String text = arguments.get(i).evalText(frame);
            if (text != null) {
                out.append(text);
            }
        }
        return out.toString();
    }
}

package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Regex;
import dev.oriel.sql.value.SimilarText;
import dev.oriel.sql.value.Texts;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The bodies of functions of text whose arguments are text and integers alone.
public final class TextLibrary {
    /// Maximum length of a text that a function lengthens, in characters.
    private static final int CHARS_MAX = 1 << 24;

    /// Length in characters from which a search polls for a cancel first.
    private static final int POLL_CHARS = 1 << 10;

    private TextLibrary() {}

    public static StrictCall.Body body(Function function) {
        return switch (function) {
            case ASCII -> (v, at) -> text(v, 0).isEmpty() ? 0L : (long) text(v, 0).codePointAt(0);
            case CHR -> (v, at) -> character(integer(v, 0), at);
            case SPACE -> (v, at) -> repeated(" ", integer(v, 0), at);
            case REPEAT -> (v, at) -> repeated(text(v, 0), integer(v, 1), at);
            case INITCAP -> (v, at) -> capitalized(text(v, 0));
            case REVERSE -> (v, at) -> new StringBuilder(text(v, 0)).reverse().toString();
            case LPAD -> (v, at) -> padded(v, true, at);
            case RPAD -> (v, at) -> padded(v, false, at);
            case SPLIT_PART -> (v, at) -> part(text(v, 0), text(v, 1), integer(v, 2), at);
            case POSITION -> (v, at) -> position(text(v, 1), text(v, 0));
            case STRPOS -> (v, at) -> position(text(v, 0), text(v, 1));
            case STARTS_WITH -> (v, at) -> truth(text(v, 0).startsWith(text(v, 1)));
            case CONTAINS -> (v, at) -> truth(Texts.indexOf(text(v, 0), text(v, 1), 0) >= 0);
            case TRANSLATE -> (v, at) -> translated(text(v, 0), text(v, 1), text(v, 2));
            case OVERLAY -> TextLibrary::overlaid;
            case MD5 -> (v, at) -> md5(text(v, 0));
            case BASE64ENCODE ->
                    (v, at) ->
                            Base64.getEncoder()
                                    .encodeToString(text(v, 0).getBytes(StandardCharsets.UTF_8));
            case BASE64DECODE -> (v, at) -> decoded(text(v, 0), at);
            case SOUNDEX -> (v, at) -> Soundex.of(text(v, 0));
            case SOUNDSLIKE ->
                    (v, at) -> truth(Soundex.of(text(v, 0)).equals(Soundex.of(text(v, 1))));
            case DIFFERENCE -> (v, at) -> Soundex.difference(text(v, 0), text(v, 1));
            case LIKE2REGEXP -> (v, at) -> Regex.ofLike(text(v, 0));
            case SIMILAR_TO_ESCAPE ->
                    (v, at) -> SimilarText.regex(text(v, 0), v.length > 1 ? text(v, 1) : "\\", at);
            case REGEXP_LIKE -> Regex::like;
            case REGEXP_REPLACE -> Regex::replaced;
            case REGEXP_SUBSTR -> Regex::found;
            case REGEXP_COUNT -> Regex::counted;
            case REGEXP_INSTR -> Regex::position;
            case NORMALIZE ->
                    (v, at) ->
                            UnicodeText.normalized(text(v, 0), v.length > 1 ? text(v, 1) : "", at);
            case UNISTR -> (v, at) -> UnicodeText.unescaped(text(v, 0), at);
            default -> throw new IllegalStateException(function + " is of no text");
        };
    }

    static String text(Object[] values, int i) {
        return (String) values[i];
    }

    private static long integer(Object[] values, int i) {
        return (Long) values[i];
    }

    public static Long truth(boolean value) {
        return value ? 1L : 0L;
    }

    private static String character(long code, Place place) {
        boolean half = code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE;
        if (code < 1 || code > Character.MAX_CODE_POINT || half) {
            throw place.error(Kind.OUT_OF_RANGE, "There is no character " + code);
        }
        return Character.toString((int) code);
    }

    private static String repeated(String text, long count, Place place) {
        if (count <= 0 || text.isEmpty()) {
            return "";
        }
        if (count > CHARS_MAX / text.length()) {
            throw tooLong(place);
        }
        return text.repeat((int) count);
    }

    private static SqlException tooLong(Place place) {
        return place.error(
                Kind.OUT_OF_RANGE, "The text would be longer than " + CHARS_MAX + " characters");
    }

    private static String capitalized(String text) {
        StringBuilder out = new StringBuilder();
        boolean within = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            out.append(within ? Character.toLowerCase(c) : Character.toUpperCase(c));
            within = Character.isLetterOrDigit(c);
        }
        return out.toString();
    }

    private static String padded(Object[] values, boolean left, Place place) {
        String text = text(values, 0);
        long wanted = integer(values, 1);
        String fill = values.length > 2 ? text(values, 2) : " ";
        if (wanted > CHARS_MAX) {
            throw tooLong(place);
        }
        int length = text.codePointCount(0, text.length());
        if (wanted <= length) {
            return Texts.substring(text, 1, Math.max(wanted, 0));
        } else if (fill.isEmpty()) {
            return text;
        }
        int missing = (int) wanted - length;
        int each = fill.codePointCount(0, fill.length());
        String padding = Texts.substring(fill.repeat(missing / each + 1), 1, missing);
        return left ? padding + text : text + padding;
    }

    private static String part(String text, String separator, long number, Place place) {
        if (number == 0) {
            throw place.error(Kind.INVALID_PARAMETER, "SPLIT_PART counts from 1, or back from -1");
        }
        if (separator.isEmpty()) {
            return number == 1 || number == -1 ? text : "";
        }
        int count = 1;
        for (int at = Texts.indexOf(text, separator, 0); at >= 0; count++) {
            at = Texts.indexOf(text, separator, at + separator.length());
        }
        long wanted = number > 0 ? number : count + number + 1;
        int start = 0;
        for (long i = 1; i < wanted && start >= 0; i++) {
            int end = Texts.indexOf(text, separator, start);
            start = end < 0 ? -1 : end + separator.length();
        }
        if (wanted < 1 || start < 0) {
            return "";
        }
        int end = Texts.indexOf(text, separator, start);
        return end < 0 ? text.substring(start) : text.substring(start, end);
    }

    private static Long position(String text, String part) {
        int at = Texts.indexOf(text, part, 0);
        return at < 0 ? 0L : text.codePointCount(0, at) + 1L;
    }

    private static String translated(String text, String from, String to) {
        int[] sought = from.codePoints().toArray();
        int[] others = to.codePoints().toArray();
        StringBuilder out = new StringBuilder();
        text.codePoints()
                .forEach(c -> {
                    if (sought.length > POLL_CHARS) {
                        Cancellation.pollRunning();
                    }
                    for (int i = 0; i < sought.length; i++) {
                        if (sought[i] == c) {
                            if (i < others.length) {
                                out.appendCodePoint(others[i]);
                            }
                            return;
                        }
                    }
                    out.appendCodePoint(c);
                });
        return out.toString();
    }

    private static String overlaid(Object[] values, Place place) {
        String text = text(values, 0);
        String part = text(values, 1);
        long start = integer(values, 2);
        long length =
                values.length > 3 ? integer(values, 3) : part.codePointCount(0, part.length());
        if (start < 1 || length < 0) {
            throw place.error(
                    Kind.SUBSTRING, "OVERLAY begins at 1 or later and replaces 0 or more");
        }
        return Texts.substring(text, 1, start - 1)
                + part
                + Texts.substring(text, start + length, Long.MAX_VALUE);
    }

    private static String md5(String text) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JDK has MD5", missing);
        }
    }

    private static String decoded(String text, Place place) {
        try {
            return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException unfit) {
            throw place.error(Kind.INVALID_PARAMETER, "'" + text + "' is not in base 64");
        }
    }

    public static String hex(Object value) {
        return switch (value) {
            case Long number -> Long.toHexString(number);
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            default -> HexFormat.of().formatHex(value.toString().getBytes(StandardCharsets.UTF_8));
        };
    }

    /// CONCAT_WS: the non-NULL arguments after the first, separated by the first.
    public static @Nullable String concatWithSeparator(List<Scalar> arguments, Frame frame) {
        String separator = arguments.getFirst().evalText(frame);
        if (separator == null) {
            return null;
        }
        StringBuilder out = new StringBuilder();
        boolean any = false;
        for (int i = 1; i < arguments.size(); i++) {
            String text = arguments.get(i).evalText(frame);
            if (text != null) {
                out.append(any ? separator : "").append(text);
                any = true;
            }
        }
        return out.toString();
    }

    /// The code by which English names sound alike: a letter and three digits (R. C. Russell).
    static final class Soundex {
        private static final String CODES = "01230120022455012623010202";

        private Soundex() {}

        static String of(String text) {
            StringBuilder code = new StringBuilder();
            char last = 0;
            String upper = text.toUpperCase(Locale.ROOT);
            for (int i = 0; i < upper.length() && code.length() < 4; i++) {
                char c = upper.charAt(i);
                if (c < 'A' || c > 'Z') {
                    continue;
                }
                char digit = CODES.charAt(c - 'A');
                if (code.isEmpty()) {
                    code.append(c);
                } else if (digit != '0' && digit != last) {
                    code.append(digit);
                }
                if (c != 'H' && c != 'W') {
                    last = digit;
                }
            }
            return code.isEmpty() ? "" : code.append("0".repeat(4 - code.length())).toString();
        }

        static Long difference(String a, String b) {
            String first = of(a);
            String second = of(b);
            long same = 0;
            for (int i = 0; i < Math.min(first.length(), second.length()); i++) {
                same += first.charAt(i) == second.charAt(i) ? 1 : 0;
            }
            return same;
        }
    }
}

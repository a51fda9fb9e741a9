package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;

/// Bytes as text and back (ENCODE, DECODE), and their digests.
public final class EncodingFunctions {
    /// Line length of base 64, as in PostgreSQL.
    private static final int LINE_CHARS = 76;

    /// Maximum rounds of HASH, some seconds.
    private static final long ROUNDS_MAX = 10_000_000;

    private EncodingFunctions() {}

    /// The digest that `function` is named after.
    public static byte[] digest(Function function, byte[] bytes) {
        String name = function.called().replace("SHA", "SHA-");
        try {
            return MessageDigest.getInstance(name).digest(bytes);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JDK has " + name, missing);
        }
    }

    /// HASH of an algorithm, a text or bytes, and perhaps a number of rounds.
    public static byte[] hash(Object[] values, Place place) {
        String algorithm = ((String) values[0]).toUpperCase(Locale.ROOT);
        String name =
                switch (algorithm) {
                    case "MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512" -> algorithm;
                    case "SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512" -> algorithm;
                    case "SHA1", "SHA224", "SHA256", "SHA384", "SHA512" ->
                            algorithm.replace("SHA", "SHA-");
                    default ->
                            throw place.error(
                                    Kind.INVALID_PARAMETER,
                                    "There is no algorithm '"
                                            + values[0]
                                            + "'; use MD5, SHA-1, SHA-256, SHA-512 or SHA3-256");
                };
        long rounds = values.length > 2 ? (Long) values[2] : 1;
        if (rounds < 1 || rounds > ROUNDS_MAX) {
            throw place.error(
                    Kind.INVALID_PARAMETER,
                    "HASH takes from 1 to " + ROUNDS_MAX + " rounds, not " + rounds);
        }
        byte[] bytes =
                values[1] instanceof String text
                        ? text.getBytes(StandardCharsets.UTF_8)
                        : (byte[]) values[1];
        try {
            MessageDigest digest = MessageDigest.getInstance(name);
            for (long i = 0; i < rounds; i++) {
                bytes = digest.digest(bytes);
            }
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JDK has " + name, missing);
        }
        return bytes;
    }

    /// CONVERT_TO.
    public static byte[] convertedTo(String text, String charset, Place place) {
        try {
            ByteBuffer out = charset(charset, place).newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[out.remaining()];
            out.get(bytes);
            return bytes;
        } catch (CharacterCodingException unfit) {
            throw place.error(
                    Kind.INVALID_VALUE, "The text has characters that " + charset + " lacks");
        }
    }

    /// CONVERT_FROM.
    public static String convertedFrom(byte[] bytes, String charset, Place place) {
        try {
            return charset(charset, place).newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException unfit) {
            throw place.error(Kind.INVALID_VALUE, "The bytes are no text in " + charset);
        }
    }

    private static Charset charset(String name, Place place) {
        return switch (name.toUpperCase(Locale.ROOT)) {
            case "UTF8", "UTF-8" -> StandardCharsets.UTF_8;
            case "LATIN1", "ISO_8859_1", "ISO-8859-1" -> StandardCharsets.ISO_8859_1;
            case "SQL_ASCII", "US-ASCII", "ASCII" -> StandardCharsets.US_ASCII;
            default ->
                    throw place.error(
                            Kind.INVALID_PARAMETER,
                            "Unknown character set '" + name + "'; use UTF8, LATIN1 or SQL_ASCII");
        };
    }

    /// ENCODE.
    public static String encoded(byte[] bytes, String form, Place place) {
        return switch (form.toLowerCase(Locale.ROOT)) {
            case "hex" -> HexFormat.of().formatHex(bytes);
            case "base64" ->
                    Base64.getMimeEncoder(LINE_CHARS, new byte[] {'\n'}).encodeToString(bytes);
            case "escape" -> escaped(bytes);
            default -> throw unknown(form, place);
        };
    }

    /// DECODE.
    public static byte[] decoded(String text, String form, Place place) {
        try {
            return switch (form.toLowerCase(Locale.ROOT)) {
                case "hex" -> HexFormat.of().parseHex(withoutBlanks(text));
                case "base64" -> Base64.getDecoder().decode(withoutBlanks(text));
                case "escape" -> unescaped(text);
                default -> throw unknown(form, place);
            };
        } catch (IllegalArgumentException unfit) {
            throw place.error(
                    Kind.INVALID_PARAMETER, "The text is not in the encoding '" + form + "'");
        }
    }

    private static SqlException unknown(String form, Place place) {
        return place.error(
                Kind.INVALID_PARAMETER,
                "Unknown encoding '" + form + "'; use hex, base64 or escape");
    }

    private static String withoutBlanks(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.chars()
                .filter(c -> c != ' ' && c != '\n' && c != '\r' && c != '\t')
                .forEach(c -> out.append((char) c));
        return out.toString();
    }

    /// A zero and bytes above 127 are written as `\` and three octal digits.
    private static String escaped(byte[] bytes) {
        StringBuilder out = new StringBuilder();
        for (byte one : bytes) {
            int value = one & 0xFF;
            if (value == 0 || value > 127) {
                out.append('\\')
                        .append((char) ('0' + (value >> 6)))
                        .append((char) ('0' + (value >> 3 & 7)))
                        .append((char) ('0' + (value & 7)));
            } else {
                out.append(value == '\\' ? "\\\\" : Character.toString(value));
            }
        }
        return out.toString();
    }

    private static byte[] unescaped(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '\\') {
                out.write(bytes[i]);
            } else if (i + 1 < bytes.length && bytes[i + 1] == '\\') {
                out.write(bytes[++i]);
            } else if (i + 3 < bytes.length && octal(bytes, i + 1) <= 0xFF) {
                out.write(octal(bytes, i + 1));
                i += 3;
            } else {
                throw new IllegalArgumentException("a backslash that escapes nothing");
            }
        }
        return out.toByteArray();
    }

    /// The value of three octal digits; `Integer.MAX_VALUE` if they are not octal digits.
    private static int octal(byte[] bytes, int from) {
        int number = 0;
        for (int i = from; i < from + 3; i++) {
            if (bytes[i] < '0' || bytes[i] > '7') {
                return Integer.MAX_VALUE;
            }
            number = 8 * number + bytes[i] - '0';
        }
        return number;
    }
}

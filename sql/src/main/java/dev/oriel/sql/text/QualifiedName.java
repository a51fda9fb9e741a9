package dev.oriel.sql.text;

import dev.oriel.table.SearchPath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A name in the text of a value, as PostgreSQL writes it: perhaps with that of a schema before it, each perhaps in
/// double quotes.
///
/// @param schema empty if there is none
public record QualifiedName(String schema, String name) {
    /// The name that `text` is; null if it is none.
    public static @Nullable QualifiedName of(String text) {
        List<String> parts = parts(text);
        return switch (parts.size()) {
            case 1 -> new QualifiedName("", parts.getFirst());
            case 2 -> new QualifiedName(parts.getFirst(), parts.getLast());
            default -> null;
        };
    }

    /// The names between the points of `text`; none if it is not made of names.
    public static List<String> parts(String text) {
        return split(text, '.');
    }

    /// The names between the commas of `text`; none if it is not made of names.
    public static List<String> list(String text) {
        return split(text.strip(), ',');
    }

    private static List<String> split(String text, char between) {
        List<String> parts = new ArrayList<>();
        int at = 0;
        while (at <= text.length()) {
            while (at < text.length() && text.charAt(at) == ' ') {
                at++;
            }
            StringBuilder part = new StringBuilder();
            if (at < text.length() && text.charAt(at) == '"') {
                at = quoted(text, at + 1, part);
                while (at < text.length() && text.charAt(at) == ' ') {
                    at++;
                }
                if (at < text.length() && text.charAt(at) != between) {
                    return List.of();
                }
            } else {
                int end = text.indexOf(between, at);
                end = end < 0 ? text.length() : end;
                part.append(text.substring(at, end).strip());
                at = end;
            }
            if (part.isEmpty()) {
                return List.of();
            }
            parts.add(part.toString());
            at++;
        }
        return parts;
    }

    /// Takes what stands in double quotes from `from` on; returns where that ends.
    private static int quoted(String text, int from, StringBuilder part) {
        int at = from;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"' && (at == text.length() || text.charAt(at) != '"')) {
                return at;
            }
            at += c == '"' ? 1 : 0;
            part.append(c);
        }
        part.setLength(0); // nothing ends it
        return at;
    }

    /// The same as a catalog looks it up.
    public String path() {
        return schema.isEmpty() ? name : SearchPath.named(schema, name);
    }
}

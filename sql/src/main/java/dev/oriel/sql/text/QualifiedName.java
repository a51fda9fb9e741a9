package dev.oriel.sql.text;

import dev.oriel.table.definition.SearchPath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A name in a text value, as PostgreSQL writes it: optionally qualified by a schema, each part optionally in
/// double quotes.
///
/// @param schema empty if there is none
public record QualifiedName(String schema, String name) {
    /// Parses `text`; null if it is no name.
    public static @Nullable QualifiedName of(String text) {
        List<String> parts = parts(text);
        return switch (parts.size()) {
            case 1 -> new QualifiedName("", parts.getFirst());
            case 2 -> new QualifiedName(parts.getFirst(), parts.getLast());
            default -> null;
        };
    }

    /// The dot-separated names of `text`; empty if a part is no name.
    public static List<String> parts(String text) {
        return split(text, '.');
    }

    /// The comma-separated names of `text`, of which `""` is an empty one; empty if a part is no name.
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
            boolean isQuoted = at < text.length() && text.charAt(at) == '"';
            if (isQuoted) {
                at = quoted(text, at + 1, part);
                if (at < 0) {
                    return List.of();
                }
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
            if (part.isEmpty() && !(isQuoted && between == ',')) {
                return List.of();
            }
            parts.add(part.toString());
            at++;
        }
        return parts;
    }

    /// Reads the quoted name from `from` on into `part`; returns the position after its closing quote,
    /// negative if there is none.
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
        return -1;
    }

    /// The name as [dev.oriel.table.definition.Catalog] looks it up.
    public String path() {
        return schema.isEmpty() ? name : SearchPath.named(schema, name);
    }
}

package dev.oriel.sql;

import dev.oriel.testkit.Gen;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Texts for [FuzzTargets]: mutated, nested and repeated statements of the golden scripts, and nearly valid
/// literals.
final class SqlInputs {
    /// A longer token may be nested already; nesting it again would not fit in memory.
    private static final int NESTED_CHARS_MAX = 1_000;

    private static final Pattern TOKEN =
            Pattern.compile("'(?:[^']|'')*'|\"[^\"]*\"|\\w+|\\s+|[^\\w\\s]");
    private static final List<String> LITERALS =
            List.of(
                    "2024-02-29",
                    "2024-02-30",
                    "0000-01-01",
                    "-99999999999-01-01",
                    "12:30:15.123456",
                    "24:00:00",
                    "2024-02-29 12:30:00+14:00",
                    "2024-02-29T12:30:00Z",
                    "1 year 2 months 3 days 04:05:06.5",
                    "-1-2",
                    "1e400",
                    "1e-999999999",
                    "1e999999999",
                    "9223372036854775808",
                    "0x1F",
                    "+.5",
                    "NaN",
                    "-Infinity",
                    "\\x00ff",
                    "\\x0",
                    "01234567-89ab-cdef-0123-456789abcdef",
                    "true",
                    "FMDay, DD Mon YYYY HH24:MI:SS.FF",
                    "FM9,990.00",
                    "%_%\\%",
                    "((((((a*)*)*)*)*)*)b",
                    "\u0000",
                    "\ud800");

    private final List<List<String>> statements = new ArrayList<>();
    private final Gen gen;

    SqlInputs(Gen gen) {
        this.gen = gen;
        Path folder = Path.of(System.getProperty("oriel.root", ".."), "sql/src/test/resources");
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".script")).sorted().toList()) {
                read(Files.readString(file));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void read(String script) {
        for (String block : script.split("\n\n", -1)) {
            int end = block.indexOf("\n---");
            String input = (end < 0 ? block : block.substring(0, end)).replaceAll("(?m)^#.*$", "");
            for (String statement : input.split(";\n", -1)) {
                List<String> tokens = new ArrayList<>();
                Matcher token = TOKEN.matcher(statement.strip());
                while (token.find()) {
                    tokens.add(token.group());
                }
                if (!tokens.isEmpty()) {
                    statements.add(List.copyOf(tokens));
                }
            }
        }
    }

    /// A text for `target`.
    String of(FuzzTargets.Target target) {
        return target == FuzzTargets.Target.STATEMENT ? statement() : literal();
    }

    private String literal() {
        StringBuilder text = new StringBuilder(gen.pick(LITERALS));
        int changes = gen.below(4);
        for (int i = 0; i < changes; i++) {
            int at = gen.below(text.length() + 1);
            switch (gen.below(4)) {
                case 0 -> text.insert(at, gen.text(6));
                case 1 -> text.insert(at, gen.pick(LITERALS));
                case 2 -> text.delete(at, Math.min(text.length(), at + 1 + gen.below(4)));
                default -> text.insert(at, Long.toString(gen.anyLong()));
            }
        }
        return text.toString();
    }

    private String statement() {
        List<String> tokens = new ArrayList<>(gen.pick(statements));
        int changes = 1 + gen.below(4);
        for (int i = 0; i < changes && !tokens.isEmpty(); i++) {
            change(tokens);
        }
        String text = String.join("", tokens);
        return gen.chance(5) ? text.substring(0, gen.below(text.length() + 1)) : text;
    }

    private void change(List<String> tokens) {
        int at = gen.below(tokens.size());
        List<String> other = gen.pick(statements);
        switch (gen.below(9)) {
            case 0 -> tokens.remove(at);
            case 1 -> tokens.add(at, tokens.get(gen.below(tokens.size())));
            case 2 -> tokens.set(at, gen.pick(other));
            case 3 -> tokens.add(at, gen.pick(other));
            case 4 -> tokens.set(at, "'" + literal().replace("'", "''") + "'");
            case 5 -> tokens.set(at, gen.text(8));
            case 6 -> tokens.set(at, Long.toString(gen.anyLong()));
            case 7 -> nest(tokens, at);
            default -> tokens.addAll(at, other.subList(gen.below(other.size()), other.size()));
        }
    }

    /// Makes recursion deep, or lists long.
    private void nest(List<String> tokens, int at) {
        int times = 1 + gen.length(20_000);
        String token = tokens.get(at);
        if (token.length() > NESTED_CHARS_MAX) {
            return;
        }
        tokens.set(
                at,
                switch (gen.below(10)) {
                    case 0 -> "(".repeat(times) + token + ")".repeat(times);
                    case 1 -> "NOT ".repeat(times) + token;
                    case 2 -> "- ".repeat(times) + token;
                    case 3 -> token + (" + " + token).repeat(Math.min(times, 3_000));
                    case 4 -> token + (" OR " + token).repeat(Math.min(times, 3_000));
                    case 5 -> "CASE WHEN ".repeat(times) + token;
                    case 6 -> "(SELECT ".repeat(times) + token + ")".repeat(times);
                    case 7 -> "ABS(".repeat(times) + token + ")".repeat(times);
                    case 8 -> token + ", " + (token + ", ").repeat(Math.min(times, 3_000)) + token;
                    default -> "(".repeat(times);
                });
    }
}

package dev.oriel.conformance.random;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Statements of functions, operators, casts, paths and patterns, made from `statements.txt`: each form in turn, with
/// values of its kinds. The file also has the differences from PostgreSQL, each with its reason.
final class Statements {
    private static final Pattern PLACE = Pattern.compile("@([a-z]+)@");

    private final Map<String, List<String>> values = new HashMap<>();
    private final List<Difference> differences = new ArrayList<>();
    private final SplittableRandom random;
    private int next;

    /// A difference that is explained.
    ///
    /// @param kind `<` PostgreSQL refuses, `>` Oriel refuses, `~` the last digit, `=` but for blanks and zeros, `!`
    ///     another value
    private record Difference(char kind, Pattern statement, String reason) {}

    Statements(SplittableRandom random) throws IOException {
        this.random = random;
        try (InputStream in = Statements.class.getResourceAsStream("statements.txt")) {
            if (in == null) {
                throw new IllegalStateException("There is no statements.txt on the class path");
            }
            read(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
        }
    }

    private void read(List<String> lines) {
        String section = "";
        for (String line : lines) {
            if (line.startsWith("#")) {
                continue;
            }
            if (line.startsWith("[") && line.endsWith("]")) {
                section = line.substring(1, line.length() - 1);
            } else if (section.equals("differences")) {
                String[] parts = line.split("\t", 3);
                differences.add(
                        new Difference(parts[0].charAt(0), Pattern.compile(parts[1]), parts[2]));
            } else {
                values.computeIfAbsent(section, _ -> new ArrayList<>()).add(line);
            }
        }
    }

    /// Number of forms.
    int forms() {
        return all("statements").size();
    }

    private List<String> all(String kind) {
        List<String> all = values.get(kind);
        if (all == null) {
            throw new IllegalStateException("statements.txt has no [" + kind + "]");
        }
        return all;
    }

    /// The next statement.
    String next() {
        List<String> forms = all("statements");
        return "SELECT " + filled(forms.get(next++ % forms.size()));
    }

    private String filled(String form) {
        Matcher place = PLACE.matcher(form);
        StringBuilder out = new StringBuilder();
        while (place.find()) {
            List<String> all = all(place.group(1));
            String value = filled(all.get(random.nextInt(all.size())));
            place.appendReplacement(out, Matcher.quoteReplacement(value));
        }
        return place.appendTail(out).toString();
    }

    /// Why `statement` may differ so; null if nothing explains it.
    @Nullable String reason(String statement, char kind) {
        for (Difference each : differences) {
            if (each.kind == kind && each.statement.matcher(statement).find()) {
                return each.reason;
            }
        }
        return null;
    }
}

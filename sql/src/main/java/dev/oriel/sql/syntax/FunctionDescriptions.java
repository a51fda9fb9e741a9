package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.FunctionDescription.Count;
import dev.oriel.sql.syntax.FunctionDescription.Kind;
import dev.oriel.sql.syntax.FunctionDescription.Parameter;
import dev.oriel.sql.syntax.FunctionDescription.Signature;
import dev.oriel.sql.syntax.FunctionDescription.Trait;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The descriptions of the built-in functions: `functions/FAMILY.txt` beside this class has an entry for each. They are
/// read when they are first asked for, never to bind a call. FunctionDescriptionsTest compares them with the functions
/// themselves, and makes the tables of docs/sql-functions.md from them.
///
/// An entry is a line for each signature, a sentence, and an example for each signature, of which the last one also
/// stands for the signatures that follow. An empty line ends it:
///
/// ```
/// name, other name(argument type, optional type?, repeated type...) result {traits}
///   Sentence.
///   example --> answer
/// ```
///
/// Types are SQL's, and `number` for each type of numbers, `any` for each type, `any[]` for arrays of it, `record`,
/// `enum` and `enum[]`. Traits are those of [FunctionDescription.Trait]. An example is an expression, the part of a
/// query behind SELECT, or a script. Rows of an answer are separated by ` / `.
public final class FunctionDescriptions {
    /// The families, in the order of documents.
    public static final List<String> FAMILIES = families();

    private static final String ANSWER = " --> ";

    private FunctionDescriptions() {}

    private static List<String> families() {
        List<String> all = new ArrayList<>();
        for (Function.Family family : Function.Family.values()) {
            if (family != Function.Family.JAVA) {
                all.add(family.name().toLowerCase(Locale.ROOT));
            }
        }
        all.addAll(List.of("aggregate", "window", "rows"));
        return List.copyOf(all);
    }

    /// The descriptions, in the order of documents: a class of its own, so that they are read once and only if needed.
    private static final class All {
        static final List<Entry> ENTRIES = read();
        static final List<FunctionDescription> DESCRIPTIONS = described(ENTRIES);
    }

    /// Signatures with a common sentence.
    ///
    /// @param examples a script for each of the first signatures
    /// @param answers the rows of each example
    public record Entry(
            String family,
            List<Named> signatures,
            String sentence,
            List<String> examples,
            List<String> answers) {}

    /// A signature with the names that have it.
    public record Named(List<String> names, Signature signature) {}

    public static List<Entry> entries() {
        return All.ENTRIES;
    }

    /// All names with all their signatures.
    public static List<FunctionDescription> all() {
        return All.DESCRIPTIONS;
    }

    /// The first description of the function `name`; null if there is none.
    public static @Nullable FunctionDescription of(String name) {
        for (FunctionDescription each : all()) {
            if (each.name().equalsIgnoreCase(name)) {
                return each;
            }
        }
        return null;
    }

    /// The signatures of the function `name`, for a message.
    public static String signatures(String name) {
        Set<String> found = new LinkedHashSet<>();
        for (FunctionDescription each : all()) {
            if (each.name().equalsIgnoreCase(name)) {
                found.add(each.shown());
            }
        }
        return String.join(" or ", found);
    }

    private static List<Entry> read() {
        List<Entry> all = new ArrayList<>();
        for (String family : FAMILIES) {
            List<String> entry = new ArrayList<>();
            for (String line : text(family).split("\n", -1)) {
                if (!line.isEmpty()) {
                    entry.add(line);
                } else if (!entry.isEmpty()) {
                    all.add(entry(family, entry));
                    entry.clear();
                }
            }
        }
        return List.copyOf(all);
    }

    private static String text(String family) {
        String name = "functions/" + family + ".txt";
        try (InputStream in = FunctionDescriptions.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Entry entry(String family, List<String> lines) {
        List<Named> signatures = new ArrayList<>();
        List<String> examples = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        String sentence = "";
        for (String line : lines) {
            int answer = line.indexOf(ANSWER);
            if (!line.startsWith("  ")) {
                signatures.add(named(line));
            } else if (sentence.isEmpty()) {
                sentence = line.strip();
            } else if (answer < 0) {
                throw new IllegalStateException("no answer: " + line);
            } else {
                examples.add(script(line.substring(0, answer).strip()));
                answers.add(line.substring(answer + ANSWER.length()));
            }
        }
        if (examples.isEmpty()) {
            throw new IllegalStateException("no example: " + lines);
        }
        return new Entry(
                family,
                List.copyOf(signatures),
                sentence,
                List.copyOf(examples),
                List.copyOf(answers));
    }

    private static String script(String example) {
        boolean whole = example.startsWith("CREATE ") || example.startsWith("SET ");
        return whole ? example : "SELECT " + example;
    }

    private static Named named(String line) {
        Set<Trait> traits = EnumSet.noneOf(Trait.class);
        String rest = line;
        if (line.endsWith("}")) {
            int brace = line.lastIndexOf(" {");
            for (String trait : line.substring(brace + 2, line.length() - 1).split(", ", -1)) {
                traits.add(Trait.valueOf(trait.toUpperCase(Locale.ROOT)));
            }
            rest = line.substring(0, brace);
        }
        int open = rest.indexOf('(');
        int close = rest.indexOf(')');
        if (open < 0) {
            open = rest.indexOf(' ');
            close = open - 1;
            traits.add(Trait.BARE);
        }
        String inside = close < open ? "" : rest.substring(open + 1, close);
        String result = rest.substring(close + 1).strip();
        List<Parameter> parameters = List.of();
        if (inside.equals("*")) {
            traits.add(Trait.STAR);
        } else if (!inside.isEmpty()) {
            parameters = parameters(inside);
        }
        boolean set = result.startsWith("setof ");
        boolean table = result.startsWith("table(");
        List<Parameter> columns =
                table
                        ? parameters(result.substring(result.indexOf('(') + 1, result.length() - 1))
                        : List.of();
        String type = set ? result.substring(result.indexOf(' ') + 1) : result;
        return new Named(
                List.of(rest.substring(0, open).split(", ", -1)),
                new Signature(parameters, type, set, columns, traits));
    }

    private static List<Parameter> parameters(String text) {
        List<Parameter> all = new ArrayList<>();
        String order = "ORDER BY ";
        for (String each : text.replace(" " + order, ", " + order).split(", ", -1)) {
            boolean ordered = each.startsWith(order);
            String part = ordered ? each.substring(order.length()) : each;
            int space = part.indexOf(' ');
            String type = part.substring(space + 1);
            Count count = ordered ? Count.ORDER : Count.ONE;
            if (type.endsWith("?")) {
                count = Count.OPTIONAL;
                type = type.substring(0, type.length() - 1);
            } else if (type.endsWith("...")) {
                count = Count.REPEATED;
                type = type.substring(0, type.length() - 3);
            }
            all.add(new Parameter(part.substring(0, space), type, count));
        }
        return all;
    }

    private static List<FunctionDescription> described(List<Entry> entries) {
        List<FunctionDescription> all = new ArrayList<>();
        for (Entry entry : entries) {
            for (int i = 0; i < entry.signatures().size(); i++) {
                Named named = entry.signatures().get(i);
                int shown = Math.min(i, entry.examples().size() - 1);
                for (String name : named.names()) {
                    all.add(
                            new FunctionDescription(
                                    name,
                                    Kind.of(entry.family()),
                                    entry.family(),
                                    named.signature(),
                                    entry.sentence(),
                                    example(entry, shown, name),
                                    entry.answers().get(shown)));
                }
            }
        }
        return List.copyOf(all);
    }

    /// The example of a number, with `name` in the place of the first name.
    private static String example(Entry entry, int number, String name) {
        String example = entry.examples().get(number);
        String main = entry.signatures().get(number).names().getFirst();
        return main.equals(name) ? example : example.replace(main + "(", name + "(");
    }
}

package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.sql.syntax.FromParser;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.syntax.FunctionDescription;
import dev.oriel.sql.syntax.FunctionDescription.Count;
import dev.oriel.sql.syntax.FunctionDescription.Kind;
import dev.oriel.sql.syntax.FunctionDescription.Parameter;
import dev.oriel.sql.syntax.FunctionDescription.Trait;
import dev.oriel.sql.syntax.FunctionDescriptions;
import dev.oriel.sql.syntax.OtherFunctions;
import dev.oriel.sql.syntax.RowsFunction;
import dev.oriel.sql.syntax.TypeParser;
import dev.oriel.sql.syntax.WindowFunction;
import dev.oriel.table.definition.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Compares the descriptions of functions with the functions: names, examples, types, null rules and volatility. With
/// `-Dupdate=true` the answers of the examples are rewritten.
final class FunctionDescriptionsTest {
    private static final boolean UPDATE = Boolean.getBoolean("update");

    private static final Path FOLDER =
            Path.of("src", "main", "resources", "dev", "oriel", "sql", "syntax", "functions");

    /// Names with a syntax that the parser knows.
    private static final List<String> PARSED =
            List.of(
                    FromParser.GENERATE_SERIES,
                    FromParser.GENERATE_SUBSCRIPTS,
                    "JSON_VALUE",
                    "JSON_QUERY",
                    "JSON_EXISTS",
                    "GROUPING");

    /// Types that stand for `number`.
    private static final List<String> NUMBERS =
            List.of("smallint", "integer", "bigint", "numeric", "real", "double precision");

    private final TestDatabase shared = new TestDatabase();

    @AfterEach
    void close() {
        shared.close();
    }

    @Test
    void everyNameIsDescribedAndEveryDescriptionHasAFunction() {
        Set<String> names = new TreeSet<>(PARSED);
        names.addAll(Function.allNames());
        for (RowsFunction function : RowsFunction.values()) {
            names.addAll(function.names());
        }
        names.addAll(OtherFunctions.names());
        Set<String> described = new TreeSet<>();
        Set<String> without = new TreeSet<>();
        for (FunctionDescription each : FunctionDescriptions.all()) {
            String name = each.name().toUpperCase(Locale.ROOT);
            described.add(name);
            if (!names.contains(name) && !TypeParser.isName(name) && !OtherFunctions.is(name)) {
                without.add(name);
            }
        }
        names.removeAll(described);
        assertEquals(Set.of(), names, "not described");
        assertEquals(Set.of(), without, "no functions");
        assertTrue(described.size() > 450, () -> described.size() + " names");
    }

    @Test
    void familiesAndKindsAreThoseOfTheFunctions() {
        List<String> wrong = new ArrayList<>();
        for (FunctionDescription each : FunctionDescriptions.all()) {
            Function function = Function.of(each.name());
            String family =
                    function == null ? "" : function.family().name().toLowerCase(Locale.ROOT);
            AggregateFunction aggregate = AggregateFunction.of(each.name());
            boolean fits =
                    switch (each.kind()) {
                        case FUNCTION -> function == null || family.equals(each.family());
                        case AGGREGATE ->
                                aggregate == null
                                        || each.signature().has(Trait.STAR)
                                        || each.signature().has(Trait.NULLS)
                                                == aggregate.keepsNull();
                        case WINDOW -> WindowFunction.of(each.name()) != null;
                        case ROWS -> function == null && aggregate == null;
                    };
            if (!fits) {
                wrong.add(each.family() + " " + each.shown() + " but " + family);
            }
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void examplesAnswerWhatTheySay() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (String family : FunctionDescriptions.FAMILIES) {
            Path file = FOLDER.resolve(family + ".txt");
            String text = Files.readString(file);
            for (FunctionDescriptions.Entry entry : FunctionDescriptions.entries()) {
                for (int i = 0; entry.family().equals(family) && i < entry.examples().size(); i++) {
                    String said = entry.answers().get(i);
                    String found = answer(entry.examples().get(i));
                    if (!found.equals(said)) {
                        wrong.add(entry.examples().get(i) + " --> " + found + ", not " + said);
                    }
                    String line = entry.examples().get(i).replaceFirst("^SELECT ", "") + " --> ";
                    text = text.replace("  " + line + said + "\n", "  " + line + found + "\n");
                }
            }
            if (UPDATE) {
                Files.writeString(file, text);
            }
        }
        assertTrue(UPDATE || wrong.isEmpty(), () -> String.join("\n", wrong));
    }

    @Test
    void examplesUnderOtherNamesAnswerTheSame() {
        List<String> wrong = new ArrayList<>();
        for (FunctionDescription each : FunctionDescriptions.all()) {
            String found = answer(each.example());
            if (!found.equals(each.answer()) && !UPDATE) {
                wrong.add(each.example() + " --> " + found + ", not " + each.answer());
            }
            if (!each.example().toLowerCase(Locale.ROOT).contains(each.name())) {
                wrong.add(each.example() + " shows no " + each.name());
            }
        }
        assertEquals(List.of(), wrong);
    }

    /// Rows of the last statement of `script`.
    private String answer(String script) {
        boolean alone = script.startsWith("SELECT ");
        TestDatabase database = alone ? shared : new TestDatabase();
        try {
            String answer = "";
            for (String statement : script.split("; ", -1)) {
                answer = TestDatabase.run(database.session(), statement);
            }
            return answer.replace("\n", " / ");
        } finally {
            if (!alone) {
                database.close();
            }
        }
    }

    @Test
    void resultsHaveTheTypesThatAreSaid() {
        List<String> wrong = new ArrayList<>();
        int checked = 0;
        for (FunctionDescription each : FunctionDescriptions.all()) {
            if (each.signature().has(Trait.FORM)) {
                continue;
            }
            for (List<Parameter> arity : each.arities()) {
                for (String number : isOfNumbers(each) ? NUMBERS : List.of("integer")) {
                    String call = call(each, arity, number, -1);
                    String error = typeError(each, call, number);
                    if (error != null) {
                        wrong.add(call + ": " + error);
                    }
                    checked++;
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(checked > 500);
    }

    private static boolean isOfNumbers(FunctionDescription each) {
        return each.signature().parameters().stream()
                .anyMatch(parameter -> parameter.typeName().equals("number"));
    }

    private @Nullable String typeError(FunctionDescription each, String call, String number) {
        try (Prepared prepared = shared.session().prepare(call)) {
            List<String> found = new ArrayList<>();
            prepared.columns().forEach(column -> found.add(name(column.type())));
            List<String> said = new ArrayList<>();
            if (each.signature().columns().isEmpty()) {
                said.add(each.signature().result());
            }
            each.signature().columns().forEach(column -> said.add(column.typeName()));
            said.replaceAll(type -> name(concrete(type, number)));
            return found.equals(said) ? null : "is " + found + ", not " + said;
        } catch (SqlException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /// A type for a word that stands for several.
    private static String concrete(String type, String number) {
        return switch (type) {
            case "number" -> number;
            case "any" -> "integer";
            case "any[]" -> "integer[]";
            default -> type;
        };
    }

    private String name(String type) {
        try (Prepared prepared = shared.session().prepare("SELECT CAST(NULL AS " + type + ")")) {
            return name(prepared.columns().getFirst().type());
        }
    }

    private static String name(Type type) {
        Type element = type.element();
        return element == null ? type.name().name() : element.name() + "[]";
    }

    /// The document has a row for each family, which names its functions with their parameters.
    @Test
    void theDocumentNamesAllFunctions() throws IOException {
        Path document = Path.of("..", "docs", "sql-functions.md");
        List<String> written = new ArrayList<>();
        Set<String> families = new TreeSet<>(FunctionDescriptions.FAMILIES);
        for (String line : Files.readAllLines(document)) {
            String family = line.replaceFirst("^\\| ([a-z]+) \\|.*", "$1");
            boolean row = !family.equals(line) && families.remove(family);
            written.add(row ? "| " + family + " | " + names(family) + " |" : line);
        }
        assertEquals(Set.of(), families, "families without a row");
        if (UPDATE) {
            Files.write(document, written);
        }
        assertEquals(Files.readAllLines(document), written, "run with -Dupdate=true");
    }

    private static String names(String family) {
        List<String> all = new ArrayList<>();
        for (FunctionDescriptions.Entry entry : FunctionDescriptions.entries()) {
            if (!entry.family().equals(family)) {
                continue;
            }
            Set<String> others = new LinkedHashSet<>();
            String first = "";
            for (FunctionDescriptions.Named named : entry.signatures()) {
                others.addAll(named.names());
                if (first.isEmpty()) {
                    first = shown(named);
                }
            }
            others.remove(entry.signatures().getFirst().names().getFirst());
            String also = others.isEmpty() ? "" : " (`" + String.join("`, `", others) + "`)";
            all.add("`" + first + "`" + also);
        }
        return String.join(", ", all);
    }

    private static String shown(FunctionDescriptions.Named named) {
        List<String> parameters = new ArrayList<>();
        for (Parameter each : named.signature().parameters()) {
            parameters.add(
                    switch (each.count()) {
                        case ONE, ORDER -> each.name();
                        case OPTIONAL -> "[" + each.name() + "]";
                        case REPEATED -> each.name() + "...";
                    });
        }
        String list = named.signature().has(Trait.STAR) ? "*" : String.join(", ", parameters);
        boolean bare = named.signature().has(Trait.BARE);
        return named.names().getFirst() + (bare ? "" : "(" + list + ")");
    }

    /// A query that calls `each` with arguments of these types: NULLs, or with NULL at one place only.
    ///
    /// @param at the place, or -1 for all
    private static String call(
            FunctionDescription each, List<Parameter> arity, String number, int at) {
        List<String> arguments = new ArrayList<>();
        String order = "";
        for (int i = 0; i < arity.size(); i++) {
            String type = concrete(arity.get(i).typeName(), number);
            String constant = at < 0 || at == i ? "NULL" : sample(arity.get(i).name(), type);
            String value = "CAST(" + constant + " AS " + type + ")";
            if (arity.get(i).count() == Count.ORDER) {
                order = " WITHIN GROUP (ORDER BY " + value + ")";
                continue;
            }
            arguments.add(value);
            if (arity.get(i).count() == Count.REPEATED) {
                arguments.add("CAST(" + sample("", type) + " AS " + type + ")");
            }
        }
        String list = each.signature().has(Trait.STAR) ? "*" : String.join(", ", arguments);
        String schema = each.name().startsWith("_") ? "information_schema." : "";
        String call =
                schema + each.name() + (each.signature().has(Trait.BARE) ? "" : "(" + list + ")");
        return switch (each.kind()) {
            case FUNCTION -> "SELECT " + call;
            case AGGREGATE -> "SELECT " + call + order;
            case WINDOW -> "SELECT " + call + " OVER ()";
            case ROWS -> "SELECT * FROM " + call;
        };
    }

    /// An argument for the parameter `name`.
    private static String sample(String name, String type) {
        return switch (type) {
            case "text" ->
                    switch (name) {
                        case "path" -> "'$'";
                        case "name" -> "'application_name'";
                        case "zone", "timezone" -> "'UTC'";
                        case "format" -> "'hex'";
                        case "encoding" -> "'UTF8'";
                        case "algorithm" -> "'MD5'";
                        case "flags" -> "'i'";
                        case "language" -> "'de'";
                        default -> "'year'";
                    };
            case "boolean" -> "TRUE";
            case "date", "timestamp", "timestamp with time zone" -> "'2024-02-29'";
            case "time", "time with time zone" -> "'12:30'";
            case "interval" -> "'1 day'";
            case "json" -> "'{}'";
            case "bytea" -> "'\\x01'";
            case "text[]" -> "'{1,2}'";
            case "integer[]" -> "'{1}'";
            default -> "1";
        };
    }

    @Test
    void nullsAreTakenAsIsSaid() {
        List<String> wrong = new ArrayList<>();
        List<String> unclear = new ArrayList<>();
        for (FunctionDescription each : FunctionDescriptions.all()) {
            if (each.kind() != Kind.FUNCTION || each.signature().has(Trait.FORM)) {
                continue;
            }
            boolean called = each.example().contains("NULL") && !each.answer().equals("NULL");
            for (List<Parameter> arity : each.arities()) {
                for (int at = -1; at < arity.size(); at++) {
                    String call = call(each, arity, "integer", at).replaceFirst("SELECT ", "");
                    String found =
                            arity.isEmpty()
                                    ? "true"
                                    : TestDatabase.run(
                                            shared.session(), "SELECT (" + call + ") IS NULL");
                    called |= found.equals("false");
                    if (each.isStrict() && found.equals("false")) {
                        wrong.add(call + " is not NULL");
                    } else if (each.isStrict() && !found.equals("true")) {
                        unclear.add(call + ": " + found);
                    }
                }
            }
            boolean constant = each.signature().parameters().isEmpty();
            if (!each.isStrict() && !called && !constant) {
                wrong.add(each.shown() + " is NULL if an argument is");
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(unclear.size() < 20, () -> String.join("\n", unclear));
    }

    /// Functions that take arguments by name, as in PostgreSQL, have the names that are described.
    @Test
    void parametersHaveTheNamesThatAreSaid() {
        List<String> wrong = new ArrayList<>();
        int named = 0;
        for (FunctionDescription each : FunctionDescriptions.all()) {
            List<Parameter> all = each.signature().parameters();
            if (all.isEmpty() || each.kind() == Kind.AGGREGATE || each.kind() == Kind.WINDOW) {
                continue;
            }
            String list =
                    all.stream()
                            .map(one ->
                                    one.name()
                                            + " => CAST(NULL AS "
                                            + concrete(one.typeName(), "integer")
                                            + ")")
                            .collect(Collectors.joining(", "));
            String from = each.kind() == Kind.ROWS ? "* FROM " : "";
            String said =
                    TestDatabase.run(
                            shared.session(), "SELECT " + from + each.name() + "(" + list + ")");
            if (said.contains("no other argument") || said.contains("needs its argument")) {
                wrong.add(each.shown() + ": " + said);
            } else if (!said.contains(": ")) {
                named++;
            }
        }
        assertEquals(List.of(), wrong);
        int count = named;
        assertTrue(count >= 18, () -> "only " + count + " take names");
    }

    /// An index refuses expressions that depend on more than the row.
    @Test
    void volatilityIsWhatIsSaid() {
        Set<String> types = new TreeSet<>(NUMBERS);
        for (FunctionDescription each : FunctionDescriptions.all()) {
            for (Parameter parameter : each.signature().parameters()) {
                types.add(concrete(parameter.typeName(), "integer"));
            }
        }
        types.removeAll(Set.of("record", "enum", "enum[]"));
        shared.update(
                types.stream()
                        .map(type -> column(type) + " " + type)
                        .collect(Collectors.joining(", ", "CREATE TABLE given (", ")")));
        List<String> wrong = new ArrayList<>();
        int dependent = 0;
        for (FunctionDescription each : FunctionDescriptions.all()) {
            if (each.kind() != Kind.FUNCTION || each.signature().has(Trait.FORM)) {
                continue;
            }
            Function function = Function.of(each.name());
            boolean drawn = function != null && function.isCounted();
            for (List<Parameter> arity : each.arities()) {
                String call = ofColumns(each, arity);
                String said =
                        TestDatabase.run(
                                shared.session(),
                                "CREATE INDEX made ON given ((" + call + " IS NULL))");
                boolean made = said.equals("0 changed");
                if (made) {
                    shared.update("DROP INDEX made");
                } else {
                    dependent++;
                }
                boolean fits =
                        switch (each.volatility()) {
                            case "immutable" -> made;
                            case "stable" -> said.startsWith("INVALID_DEFINITION") && !drawn;
                            default ->
                                    said.startsWith("INVALID_DEFINITION")
                                            && (drawn || function == null);
                        };
                if (!fits) {
                    wrong.add(each.volatility() + " " + call + ": " + said);
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(dependent > 20);
    }

    private static String column(String type) {
        return "a_" + type.replaceAll("[^a-z0-9]", "_");
    }

    private static String ofColumns(FunctionDescription each, List<Parameter> arity) {
        List<String> columns = new ArrayList<>();
        for (Parameter parameter : arity) {
            String column = column(concrete(parameter.typeName(), "integer"));
            columns.add(parameter.count() == Count.REPEATED ? column + ", " + column : column);
        }
        String list = String.join(", ", columns);
        String schema = each.name().startsWith("_") ? "information_schema." : "";
        return schema + each.name() + (each.signature().has(Trait.BARE) ? "" : "(" + list + ")");
    }
}

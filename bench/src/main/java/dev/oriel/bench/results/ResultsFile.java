package dev.oriel.bench.results;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.oriel.bench.results.Results.Note;
import dev.oriel.bench.results.Results.Result;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The JSON file of [Results]. It is written for people and diffs (indented, in a stable order, five significant
/// digits), and read with errors that name the place. Unknown fields are passed over, so that an older version
/// reads a newer one's files.
public final class ResultsFile {
    private static final MathContext DIGITS = new MathContext(5);
    private static final List<String> TEXTS = List.of("workload", "machine", "date", "commit");
    private static final List<String> RESULT_TEXTS = List.of("case", "subject", "metric", "unit");
    private static final String REMEDY = "Name a file that `oriel bench --json FILE` wrote.";

    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                    .addModule(
                            new SimpleModule()
                                    .addSerializer(double.class, new ShortNumber())
                                    .addSerializer(Double.class, new ShortNumber()))
                    .build();

    private ResultsFile() {}

    /// Writes the file, replacing its former content atomically: a killed process leaves the former.
    public static void write(Results results, Path file) throws IOException {
        Path whole = file.toAbsolutePath();
        Path next = whole.resolveSibling(whole.getFileName() + ".part");
        Files.writeString(next, text(results));
        Files.move(
                next, whole, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /// The text of the file.
    static String text(Results results) throws IOException {
        Separators separators =
                Separators.createDefaultInstance()
                        .withObjectFieldValueSpacing(Separators.Spacing.AFTER);
        DefaultPrettyPrinter printer =
                new DefaultPrettyPrinter()
                        .withSeparators(separators)
                        .withObjectIndenter(new DefaultIndenter("  ", "\n"));
        return MAPPER.writer(printer).writeValueAsString(finite(results)) + "\n";
    }

    /// Reads a file.
    ///
    /// @throws IOException with a message for the user: the path, the error, the remedy
    public static Results read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + ": there is no such file. " + REMEDY);
        }
        JsonNode tree;
        try {
            tree = MAPPER.readTree(Files.readAllBytes(file));
        } catch (JacksonException e) {
            String where = e.getLocation() == null ? "" : " in line " + e.getLocation().getLineNr();
            throw new IOException(
                    file + ": is not JSON" + where + ": " + e.getOriginalMessage() + ". " + REMEDY,
                    e);
        }
        String wrong = wrongShape(tree);
        if (wrong != null) {
            throw new IOException(file + ": does not hold results: " + wrong + ". " + REMEDY);
        }
        complete((ObjectNode) tree);
        try {
            return MAPPER.treeToValue(tree, Results.class);
        } catch (JacksonException e) {
            throw new IOException(
                    file + ": does not hold results: " + e.getOriginalMessage() + ". " + REMEDY, e);
        }
    }

    private static @Nullable String wrongShape(JsonNode tree) {
        if (!tree.isObject()) {
            return "it is no object";
        }
        for (String field : TEXTS) {
            if (!tree.path(field).isTextual()) {
                return "`" + field + "` is missing or no text";
            }
        }
        JsonNode results = tree.path("results");
        if (!results.isArray()) {
            return "`results` is missing or no list";
        }
        for (int i = 0; i < results.size(); i++) {
            for (String field : RESULT_TEXTS) {
                if (!results.get(i).path(field).isTextual()) {
                    return "`results[" + i + "]." + field + "` is missing or no text";
                }
            }
            if (!results.get(i).path("value").isNumber()) {
                return "`results[" + i + "].value` is missing or no number";
            }
        }
        return null;
    }

    /// Adds fields that a file by another hand may leave out.
    private static void complete(ObjectNode tree) {
        absent(tree, "command", "");
        absent(tree, "scale", "");
        absent(tree, "rounds", MAPPER.createObjectNode());
        absent(tree, "settings", MAPPER.createObjectNode());
        absent(tree, "notes", MAPPER.createArrayNode());
        for (JsonNode result : tree.path("results")) {
            absent((ObjectNode) result, "durability", "");
            absent((ObjectNode) result, "samples", MAPPER.createArrayNode());
        }
    }

    private static void absent(ObjectNode tree, String field, Object value) {
        if (!tree.hasNonNull(field)) {
            tree.set(field, MAPPER.valueToTree(value));
        }
    }

    /// `all` without the values that JSON cannot represent as numbers. A result without a value is left out, and a
    /// note says so.
    private static Results finite(Results all) {
        List<Result> kept = new ArrayList<>();
        List<Note> notes = new ArrayList<>(all.notes());
        for (Result r : all.results()) {
            if (!Double.isFinite(r.value())) {
                String text = r.metric() + " is " + r.value() + " and was left out";
                notes.add(new Note(r.caseName(), r.subject(), text));
                continue;
            }
            List<@Nullable Double> samples = new ArrayList<>();
            for (Double sample : r.samples()) {
                samples.add(finite(sample));
            }
            kept.add(
                    new Result(
                            r.caseName(),
                            r.subject(),
                            r.metric(),
                            r.unit(),
                            r.value(),
                            finite(r.low()),
                            finite(r.high()),
                            finite(r.cpuPerOp()),
                            finite(r.bytesPerOp()),
                            r.durability(),
                            samples));
        }
        return new Results(
                all.workload(),
                all.machine(),
                all.date(),
                all.commit(),
                all.command(),
                all.scale(),
                all.seed(),
                all.rounds(),
                all.settings(),
                notes,
                kept);
    }

    private static @Nullable Double finite(@Nullable Double value) {
        return value == null || !Double.isFinite(value) ? null : value;
    }

    /// Writes a number with five digits and no exponent.
    private static final class ShortNumber extends StdSerializer<Double> {
        private static final long serialVersionUID = 1;

        ShortNumber() {
            super(Double.class);
        }

        @Override
        public void serialize(Double value, JsonGenerator out, SerializerProvider provider)
                throws IOException {
            BigDecimal rounded = BigDecimal.valueOf(value).round(DIGITS);
            BigDecimal plain = rounded.signum() == 0 ? BigDecimal.ZERO : rounded;
            out.writeNumber(plain.stripTrailingZeros().toPlainString());
        }
    }
}

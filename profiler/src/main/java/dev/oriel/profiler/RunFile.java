package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// The profiler's own file, which holds all of a [ProfileResult] and nothing else: a zip of one JSON
/// object and tables as CSV, described in `docs/profiler.md`. The same result gives the same bytes.
public final class RunFile {
    /// Version of the format that is written; older ones can be read.
    public static final int VERSION = 1;

    private static final String FORMAT = "oriel-run";
    private static final String META = "run.json";
    private static final String TREE = "tree.csv";
    private static final String FRAMES = "frames.csv";
    private static final String STACKS = "stacks.csv";
    private static final String SAMPLES = "samples.csv";

    /// Fixed time of the entries. A zip stores local time, from 1980 on; its first day would be written with the
    /// time zone.
    private static final LocalDateTime ENTRY_TIME = LocalDateTime.of(1980, 1, 2, 0, 0);

    private RunFile() {}

    /// Writes the file, and replaces its content.
    public static void write(ProfileResult result, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8)) {
            entry(zip, META, meta(result));
            entry(zip, TREE, tree(result.roots()));
            samples(zip, result.samples());
        }
    }

    /// Reads the file.
    ///
    /// @throws ProfileFormatException if it is none, or of a newer version
    public static ProfileResult read(Path file) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile(), StandardCharsets.UTF_8)) {
            Map<?, ?> meta =
                    JsonParser.object(JsonParser.parse(text(zip, META)), META + " in " + file);
            if (!FORMAT.equals(meta.get("format"))) {
                throw new ProfileFormatException(file + " is a zip, but not a run file");
            }
            long version = number(meta, "version");
            if (version > VERSION) {
                throw new ProfileFormatException(
                        file
                                + " has format version "
                                + version
                                + "; this release reads up to "
                                + VERSION);
            }
            return result(zip, meta);
        } catch (ZipException
                | EOFException
                | IllegalArgumentException
                | IndexOutOfBoundsException
                | DateTimeException e) {
            throw new ProfileFormatException(file + " is damaged: " + e, e);
        }
    }

    private static ProfileResult result(ZipFile zip, Map<?, ?> meta) throws IOException {
        Map<?, ?> cost = JsonParser.object(meta.get("probeNanos"), "probeNanos");
        Map<?, ?> totals = JsonParser.object(meta.get("totals"), "totals");
        Map<String, String> facts = new TreeMap<>();
        JsonParser.object(meta.get("facts"), "facts")
                .forEach((name, value) -> facts.put(String.valueOf(name), String.valueOf(value)));
        List<String> notes = new ArrayList<>();
        for (Object note : JsonParser.array(meta.get("notes"), "notes")) {
            notes.add(String.valueOf(note));
        }
        return new ProfileResult(
                Instant.parse(String.valueOf(meta.get("startedAt"))),
                number(meta, "wallNanos"),
                cost(cost),
                number(meta, "openCalls"),
                RunTree.read(rows(zip, TREE)),
                readSamples(zip),
                new Totals(
                        number(totals, "operations"),
                        number(totals, "cpuNanos"),
                        number(totals, "allocatedBytes"),
                        number(totals, "threads"),
                        number(totals, "idleNanos"),
                        number(totals, "processors"),
                        jvm(totals)),
                facts,
                notes);
    }

    private static ProbeCost cost(Map<?, ?> cost) throws ProfileFormatException {
        long inside = number(cost, "inside");
        long outside = number(cost, "outside");
        return cost.containsKey("counted")
                ? new ProbeCost(inside, outside, number(cost, "counted"))
                : new ProbeCost(inside, outside);
    }

    /// The JVM's threads; files of older releases, and of systems that do not report them, have none.
    private static JvmThreads jvm(Map<?, ?> totals) throws ProfileFormatException {
        return totals.containsKey("compilerNanos")
                ? new JvmThreads(
                        number(totals, "compilerNanos"),
                        number(totals, "gcNanos"),
                        number(totals, "otherJvmNanos"),
                        number(totals, "delayNanos"))
                : JvmThreads.UNKNOWN;
    }

    private static String meta(ProfileResult result) throws IOException {
        StringBuilder out = new StringBuilder();
        JsonWriter json = new JsonWriter(out);
        json.open('{').name("format").value(FORMAT).name("version").value(VERSION);
        json.line().name("startedAt").value(result.startedAt().toString());
        json.name("wallNanos").value(result.wallNanos());
        json.name("openCalls").value(result.openCalls());
        json.line().name("probeNanos").open('{').name("inside").value(result.cost().insideNanos());
        json.name("outside").value(result.cost().outsideNanos());
        json.name("counted").value(result.cost().countedNanos()).close('}');
        Totals totals = result.totals();
        json.line().name("totals").open('{').name("operations").value(totals.operations());
        json.name("cpuNanos").value(totals.cpuNanos());
        json.name("allocatedBytes").value(totals.allocatedBytes());
        json.name("threads").value(totals.threads());
        json.name("idleNanos").value(totals.idleNanos());
        json.name("processors").value(totals.processors());
        if (totals.jvm().isKnown()) {
            json.name("compilerNanos").value(totals.jvm().compilerNanos());
            json.name("gcNanos").value(totals.jvm().gcNanos());
            json.name("otherJvmNanos").value(totals.jvm().otherNanos());
            json.name("delayNanos").value(totals.jvm().delayNanos());
        }
        json.close('}');
        json.line().name("facts").open('{');
        for (Map.Entry<String, String> fact : result.facts().entrySet()) {
            json.name(fact.getKey()).value(fact.getValue());
        }
        json.close('}').line().name("notes").open('[');
        for (String note : result.notes()) {
            json.value(note);
        }
        json.close(']').close('}');
        return out.append('\n').toString();
    }

    private static String tree(List<CallNode> roots) throws IOException {
        StringBuilder out = new StringBuilder();
        RunTree.write(roots, out);
        return out.toString();
    }

    private static void samples(ZipOutputStream zip, List<Sample> samples) throws IOException {
        Map<StackFrame, Integer> frames = new HashMap<>();
        Map<List<StackFrame>, Integer> stacks = new HashMap<>();
        StringBuilder frameRows = new StringBuilder("frame,class,method,line\n");
        StringBuilder stackRows = new StringBuilder("stack,frames\n");
        StringBuilder rows = new StringBuilder("kind,at_ns,thread,stack,weight,count,detail\n");
        for (Sample sample : samples) {
            Integer stack = stacks.get(sample.stack());
            if (stack == null) {
                stack = stacks.size();
                stacks.put(sample.stack(), stack);
                StringBuilder ids = new StringBuilder();
                for (StackFrame frame : sample.stack()) {
                    Integer id = frames.get(frame);
                    if (id == null) {
                        id = frames.size();
                        frames.put(frame, id);
                        CsvText.row(
                                frameRows,
                                List.of(
                                        String.valueOf(id),
                                        frame.owner(),
                                        frame.method(),
                                        String.valueOf(frame.line())));
                    }
                    ids.append(ids.isEmpty() ? "" : " ").append(id);
                }
                CsvText.row(stackRows, List.of(String.valueOf(stack), ids.toString()));
            }
            CsvText.row(
                    rows,
                    List.of(
                            sample.kind().name(),
                            String.valueOf(sample.atNanos()),
                            sample.thread(),
                            String.valueOf(stack),
                            String.valueOf(sample.weight()),
                            String.valueOf(sample.count()),
                            sample.detail()));
        }
        entry(zip, FRAMES, frameRows.toString());
        entry(zip, STACKS, stackRows.toString());
        entry(zip, SAMPLES, rows.toString());
    }

    private static List<Sample> readSamples(ZipFile zip) throws IOException {
        List<StackFrame> frames = new ArrayList<>();
        for (List<String> row : rows(zip, FRAMES)) {
            frames.add(new StackFrame(row.get(1), row.get(2), Integer.parseInt(row.get(3))));
        }
        List<List<StackFrame>> stacks = new ArrayList<>();
        for (List<String> row : rows(zip, STACKS)) {
            List<StackFrame> stack = new ArrayList<>();
            for (String id : row.get(1).isEmpty() ? new String[0] : row.get(1).split(" ")) {
                stack.add(frames.get(Integer.parseInt(id)));
            }
            stacks.add(List.copyOf(stack));
        }
        List<Sample> samples = new ArrayList<>();
        for (List<String> row : rows(zip, SAMPLES)) {
            samples.add(
                    new Sample(
                            kind(row.get(0)),
                            Long.parseLong(row.get(1)),
                            row.get(2),
                            stacks.get(Integer.parseInt(row.get(3))),
                            Long.parseLong(row.get(4)),
                            Long.parseLong(row.get(5)),
                            row.get(6)));
        }
        return samples;
    }

    private static SampleKind kind(String name) throws ProfileFormatException {
        for (SampleKind kind : SampleKind.values()) {
            if (kind.name().equals(name)) {
                return kind;
            }
        }
        throw new ProfileFormatException("There is no kind of samples named " + name);
    }

    private static long number(Map<?, ?> object, String name) throws ProfileFormatException {
        return JsonParser.whole(object.get(name), name);
    }

    /// The rows of a table but the first, which names the columns.
    private static List<List<String>> rows(ZipFile zip, String name) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        try (BufferedReader in = new BufferedReader(new StringReader(text(zip, name)))) {
            List<String> row;
            while ((row = CsvText.read(in)) != null) {
                rows.add(row);
            }
        }
        return rows.isEmpty() ? rows : rows.subList(1, rows.size());
    }

    private static String text(ZipFile zip, String name) throws IOException {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null) {
            throw new ProfileFormatException(
                    zip.getName() + " is not a run file: it has no " + name);
        }
        try (InputStream in = zip.getInputStream(entry)) {
            return new String(ProfileReader.unpacked(in), StandardCharsets.UTF_8);
        }
    }

    private static void entry(ZipOutputStream zip, String name, String text) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(ENTRY_TIME);
        zip.putNextEntry(entry);
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }
}

package dev.oriel.studio;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oriel.compare.CompareFailure;
import dev.oriel.compare.Comparison;
import dev.oriel.compare.ComparisonHtml;
import dev.oriel.compare.ComparisonJson;
import dev.oriel.compare.ComparisonText;
import dev.oriel.compare.Recorded;
import dev.oriel.profiler.CallNode;
import dev.oriel.profiler.HtmlReport;
import dev.oriel.profiler.MethodCost;
import dev.oriel.profiler.Profile;
import dev.oriel.profiler.ProfileOptions;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.Sample;
import dev.oriel.profiler.SampleKind;
import dev.oriel.studio.Recordings.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// Opens, makes, shows and compares recordings of any program.
final class RecordingRoutes {
    private static final int STACKS_MAX = 50_000;
    private static final int METHODS_MAX = 2_000;
    private static final int SECONDS_MAX = 600;
    private static final Set<SampleKind> KINDS =
            EnumSet.of(SampleKind.CPU, SampleKind.ALLOCATION, SampleKind.MONITOR);

    private final Questions questions;
    private final Recordings recordings;

    RecordingRoutes(Questions questions, Recordings recordings) {
        this.questions = questions;
        this.recordings = recordings;
    }

    /// Adds the routes below `prefix`.
    void addTo(Router router, String prefix) {
        router.get(prefix, this::list)
                .post(prefix + "/upload", this::upload)
                .post(prefix + "/record", this::record)
                .post(prefix + "/name", this::name)
                .post(prefix + "/remove", this::remove)
                .get(prefix + "/show", this::show)
                .get(prefix + "/page", this::page)
                .post(prefix + "/compare", this::compare);
    }

    /// Frames from the outermost on, with semicolons between, and the thread; empty if it is unknown.
    private record Stack(String frames, String thread) {}

    private void list(Exchange exchange) {
        ObjectNode json = Exchange.JSON.createObjectNode();
        ArrayNode all = json.putArray("recordings");
        recordings.all().forEach(recording -> all.add(about(recording)));
        exchange.json(json);
    }

    private static ObjectNode about(Recording recording) {
        ObjectNode json = Exchange.JSON.createObjectNode();
        json.put("id", recording.id());
        json.put("name", recording.name());
        json.put("wall_ms", recording.wallNanos() / (double) TimeUnit.MILLISECONDS.toNanos(1));
        json.put("samples", recording.samples());
        json.put("calls", recording.calls());
        json.put("operations", recording.operations());
        return json;
    }

    /// A part of a file, as raw bytes: `?name=FILE` begins one, `?id=N` adds to it, `?last=true` ends it.
    private void upload(Exchange exchange) throws IOException {
        String name = exchange.required("name");
        String id = exchange.parameter("id");
        long number = id == null ? recordings.begin(name) : number(id);
        recordings.append(number, exchange.bytes());
        ObjectNode json = Exchange.JSON.createObjectNode();
        if ("true".equals(exchange.parameter("last"))) {
            json = about(recordings.end(number, name));
        } else {
            json.put("id", number);
        }
        exchange.json(json);
    }

    /// `{"name", "seconds"}`: records the whole program, and counts the statements meanwhile.
    private void record(Exchange exchange) throws IOException, SQLException {
        JsonNode body = exchange.body();
        String name = Names.required(body, "name");
        int seconds = Math.clamp(body.path("seconds").asInt(5), 1, SECONDS_MAX);
        ProfileResult result;
        try (Profile profile = Profile.start(ProfileOptions.exactOnly().withSamples(KINDS))) {
            long before = statements();
            TimeUnit.SECONDS.sleep(seconds);
            long operations = statements() - before;
            if (operations > 0) {
                profile.operations(operations);
            }
            result = profile.stop();
        } catch (IllegalStateException e) {
            throw new RequestException(
                    409, "Another profile is running in this JVM; stop it before the next.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestException(409, "The studio is closing; open it again.");
        }
        exchange.json(about(recordings.keep(name, result)));
    }

    private long statements() throws SQLException, IOException {
        return questions.read(RecordingRoutes::executed);
    }

    private static long executed(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT COALESCE(SUM(calls), 0) FROM sys.statements WHERE statement NOT"
                                        + " LIKE '%sys.%'")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void name(Exchange exchange) {
        JsonNode body = exchange.body();
        recordings.rename(body.path("id").asLong(), Names.required(body, "name"));
        list(exchange);
    }

    private void remove(Exchange exchange) throws IOException {
        recordings.remove(exchange.body().path("id").asLong());
        list(exchange);
    }

    /// `?id=N`: its stacks by kind of sample, and the exact call tree.
    private void show(Exchange exchange) throws IOException {
        Recording recording = recordings.get(number(exchange.required("id")));
        ProfileResult result = recording.result();
        ObjectNode json = about(recording);
        ArrayNode notes = json.putArray("notes");
        result.notes().forEach(notes::add);
        ArrayNode clocks = json.putArray("clocks");
        for (SampleKind kind : SampleKind.values()) {
            if (result.weight(kind) > 0) {
                clock(clocks, kind.title(), kind.unit(), stacks(result, kind));
            }
        }
        if (!result.roots().isEmpty()) {
            Map<Stack, Long> exact = new HashMap<>();
            result.roots().forEach(root -> exact(root, "", exact));
            clock(clocks, "Exact calls", "ns", exact);
        }
        ArrayNode methods = json.putArray("methods");
        for (MethodCost method : result.methods().stream().limit(METHODS_MAX).toList()) {
            methods.addObject().put("frame", method.name()).put("calls", method.calls());
        }
        exchange.json(json);
    }

    private static void clock(
            ArrayNode clocks, String title, String unit, Map<Stack, Long> stacks) {
        ObjectNode clock = clocks.addObject().put("title", title).put("unit", unit);
        ArrayNode all = clock.putArray("stacks");
        List<Map.Entry<Stack, Long>> largest = new ArrayList<>(stacks.entrySet());
        largest.sort(Map.Entry.<Stack, Long>comparingByValue(Comparator.reverseOrder()));
        for (var stack : largest.subList(0, Math.min(STACKS_MAX, largest.size()))) {
            ObjectNode one = all.addObject().put("stack", stack.getKey().frames());
            one.put("weight", stack.getValue());
            if (!stack.getKey().thread().isEmpty()) {
                one.put("thread", stack.getKey().thread());
            }
        }
    }

    private static Map<Stack, Long> stacks(ProfileResult result, SampleKind kind) {
        Map<Stack, Long> stacks = new HashMap<>();
        for (Sample sample : result.samples(kind)) {
            StringBuilder stack = new StringBuilder();
            for (Sample.StackFrame frame : sample.stack().reversed()) {
                stack.append(stack.isEmpty() ? "" : ";").append(frame.name().replace(';', ':'));
            }
            String text = stack.isEmpty() ? "(no stack)" : stack.toString();
            stacks.merge(new Stack(text, sample.thread()), sample.weight(), Long::sum);
        }
        return stacks;
    }

    private static void exact(CallNode node, String above, Map<Stack, Long> into) {
        String name = node.name().replace(';', ':');
        String stack = above.isEmpty() ? name : above + ";" + name;
        if (node.selfNanos() > 0) {
            into.merge(new Stack(stack, ""), node.selfNanos(), Long::sum);
        }
        node.children().forEach(child -> exact(child, stack, into));
    }

    /// `?id=N`: the recording as one self-contained page of HTML.
    private void page(Exchange exchange) throws IOException {
        Recording recording = recordings.get(number(exchange.required("id")));
        StringBuilder page = new StringBuilder();
        new HtmlReport(recording.name()).write(recording.result(), page);
        exchange.attachment("recording.html", page.toString());
    }

    /// `{"a": [ID...], "b": [ID...], "page"?}`: methods of B compared with A's, with intervals if there are
    /// several recordings of each; with `page` as one page of HTML.
    private void compare(Exchange exchange) throws IOException {
        JsonNode body = exchange.body();
        List<Path> scratch = new ArrayList<>();
        try {
            String nameA = names(body.path("a"));
            String nameB = names(body.path("b"));
            Map<String, Comparison> comparisons =
                    Recorded.compare(side(body.path("a"), scratch), side(body.path("b"), scratch));
            Path file = recordings.scratch(false);
            scratch.add(file);
            if (body.path("page").asBoolean()) {
                new ComparisonHtml(nameA, nameB).write(comparisons, file);
                exchange.attachment("comparison.html", Files.readString(file));
                return;
            }
            new ComparisonJson(nameA, nameB).write(comparisons, file);
            ObjectNode json = (ObjectNode) Exchange.JSON.readTree(file.toFile());
            ArrayNode texts = json.putArray("texts");
            comparisons
                    .values()
                    .forEach(one -> texts.add(new ComparisonText(nameA, nameB).of(one)));
            exchange.json(json);
        } catch (CompareFailure e) {
            throw new RequestException(422, withoutPaths(String.valueOf(e.getMessage()), scratch));
        } finally {
            for (Path file : scratch) {
                Recordings.delete(file);
            }
        }
    }

    private static String withoutPaths(String message, List<Path> scratch) {
        String plain = message;
        for (Path file : scratch) {
            plain = plain.replace(file.toString(), "one side");
        }
        return plain;
    }

    private String names(JsonNode ids) {
        List<String> names = new ArrayList<>();
        for (JsonNode id : ids) {
            names.add(recordings.get(id.asLong()).name());
        }
        if (names.isEmpty()) {
            throw new RequestException(400, "A side has no recording; choose one at least.");
        }
        List<String> different = names.stream().distinct().toList();
        return String.join(", ", different)
                + (names.size() > 1
                        ? String.format(Locale.ROOT, " (%d recordings)", names.size())
                        : "");
    }

    /// One file, or a folder with links to several.
    private Path side(JsonNode ids, List<Path> scratch) throws IOException {
        if (ids.size() == 1) {
            return recordings.get(ids.get(0).asLong()).file();
        }
        Path folder = recordings.scratch(true);
        scratch.add(folder);
        for (JsonNode id : ids) {
            Path file = recordings.get(id.asLong()).file();
            Files.createSymbolicLink(
                    folder.resolve(String.valueOf(file.getFileName())), file.toAbsolutePath());
        }
        return folder;
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new RequestException(
                    400, "A recording is a number, not '" + text + "'; send its number.");
        }
    }
}

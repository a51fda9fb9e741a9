package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads the message of a pprof profile, of Go or of any other program. Its value types with a known name become
/// kinds of samples, others [SampleKind#OTHER]. A count beside a weight becomes the number of observations.
/// Confined to one thread; reads one message.
final class PprofReader {
    /// A value type: its name and its unit, as indexes into the string table.
    private record ValueType(long type, long unit) {}

    /// A sample as in the message.
    private record Raw(List<Long> places, List<Long> values, List<long[]> labels) {}

    private final List<ValueType> types = new ArrayList<>();
    private final List<Raw> raws = new ArrayList<>();
    private final Map<Long, List<long[]>> places = new HashMap<>();
    private final Map<Long, Long> functions = new HashMap<>();
    private final List<String> texts = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private long startNanos;
    private long wallNanos;

    private PprofReader() {}

    static ProfileResult read(byte[] message) throws IOException {
        PprofReader reader = new PprofReader();
        reader.fields(new ProtobufReader(message));
        if (reader.types.isEmpty() || reader.texts.isEmpty()) {
            throw new ProfileFormatException("Not a pprof profile: it names no kind of values");
        }
        return reader.result();
    }

    private void fields(ProtobufReader in) throws ProfileFormatException {
        while (in.next()) {
            switch (in.field()) {
                case 1 -> types.add(valueType(in.message()));
                case 2 -> raws.add(raw(in.message()));
                case 4 -> place(in.message());
                case 5 -> function(in.message());
                case 6 -> texts.add(in.text());
                case 9 -> startNanos = in.number();
                case 10 -> wallNanos = in.number();
                default -> {}
            }
        }
    }

    private static ValueType valueType(ProtobufReader in) throws ProfileFormatException {
        long[] both = pair(in, 1, 2);
        return new ValueType(both[0], both[1]);
    }

    private static long[] pair(ProtobufReader in, int first, int second)
            throws ProfileFormatException {
        long[] both = new long[2];
        while (in.next()) {
            if (in.field() == first) {
                both[0] = in.number();
            } else if (in.field() == second) {
                both[1] = in.number();
            }
        }
        return both;
    }

    private static Raw raw(ProtobufReader in) throws ProfileFormatException {
        long[] places = new long[0];
        long[] values = new long[0];
        List<long[]> labels = new ArrayList<>();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> places = in.numbers(places);
                case 2 -> values = in.numbers(values);
                case 3 -> labels.add(pair(in.message(), 1, 2));
                default -> {}
            }
        }
        return new Raw(list(places), list(values), labels);
    }

    private static List<Long> list(long[] numbers) {
        return Arrays.stream(numbers).boxed().toList();
    }

    private void place(ProtobufReader in) throws ProfileFormatException {
        long id = 0;
        List<long[]> lines = new ArrayList<>();
        while (in.next()) {
            if (in.field() == 1) {
                id = in.number();
            } else if (in.field() == 4) {
                lines.add(pair(in.message(), 1, 2));
            }
        }
        places.put(id, lines);
    }

    private void function(ProtobufReader in) throws ProfileFormatException {
        long[] both = pair(in, 1, 2);
        functions.put(both[0], both[1]);
    }

    private ProfileResult result() throws ProfileFormatException {
        for (Raw raw : raws) {
            if (raw.values().size() != types.size()) {
                throw new ProfileFormatException(
                        "A sample has a different number of values than the profile announces");
            }
        }
        boolean exact =
                types.size() >= 2
                        && text(types.getFirst().type()).equals("calls")
                        && text(types.get(1).type()).equals("self");
        return new ProfileResult(
                Instant.ofEpochSecond(
                        Math.floorDiv(startNanos, 1_000_000_000L),
                        Math.floorMod(startNanos, 1_000_000_000L)),
                wallNanos,
                ProbeCost.NONE,
                0,
                exact ? tree() : List.of(),
                samples(exact ? 2 : 0),
                Totals.UNKNOWN,
                Map.of(),
                notes);
    }

    /// The exact tree, as [PprofReport] writes it.
    private List<CallNode> tree() throws ProfileFormatException {
        TreeMerge root = new TreeMerge();
        for (Raw raw : raws) {
            if (raw.values().get(0) == 0 && raw.values().get(1) == 0) {
                continue; // a sample
            }
            TreeMerge at = root;
            for (StackFrame frame : stack(raw).reversed()) {
                at = at.child(frame.name());
            }
            at.add(raw.values().get(0), raw.values().get(1), 0, 0);
        }
        return root.nodes();
    }

    /// @param from the first type that is no value of the exact tree
    private List<Sample> samples(int from) throws ProfileFormatException {
        List<Sample> samples = new ArrayList<>();
        for (int i = from; i < types.size(); i++) {
            if (isCount(i) && i + 1 < types.size() && !isCount(i + 1)) {
                continue;
            }
            SampleKind kind = kind(types.get(i));
            long factor = kind == SampleKind.OTHER ? 1 : factor(types.get(i));
            for (Raw raw : raws) {
                long weight = Math.multiplyExact(raw.values().get(i), factor);
                long count = i > 0 && isCount(i - 1) ? raw.values().get(i - 1) : 1;
                if (weight != 0) {
                    count = kind == SampleKind.CPU ? weight : count;
                    samples.add(new Sample(kind, 0, thread(raw), stack(raw), weight, count, ""));
                }
            }
        }
        return samples;
    }

    private boolean isCount(int type) throws ProfileFormatException {
        return text(types.get(type).unit()).equals("count");
    }

    private SampleKind kind(ValueType type) throws ProfileFormatException {
        String name = text(type.type());
        String unit = text(type.unit());
        for (SampleKind kind : SampleKind.values()) {
            if (PprofReport.typeName(kind).equals(name)) {
                return kind;
            }
        }
        notes.add("Samples of the kind Other are " + name + " in " + unit + ".");
        return SampleKind.OTHER;
    }

    /// Number of our units, nanoseconds or bytes, in one of the profile's.
    private long factor(ValueType type) throws ProfileFormatException {
        return switch (text(type.unit())) {
            case "microseconds" -> 1_000;
            case "milliseconds" -> 1_000_000;
            case "seconds" -> 1_000_000_000;
            case "kilobytes" -> 1L << 10;
            case "megabytes" -> 1L << 20;
            case "gigabytes" -> 1L << 30;
            default -> 1;
        };
    }

    private List<StackFrame> stack(Raw raw) throws ProfileFormatException {
        List<StackFrame> stack = new ArrayList<>();
        for (long place : raw.places()) {
            List<long[]> lines = places.get(place);
            if (lines == null) {
                throw new ProfileFormatException(
                        "A sample refers to a location that does not exist");
            }
            for (long[] line : lines) {
                StackFrame named = StackFrame.parse(text(functions.getOrDefault(line[0], 0L)));
                int number = (int) Math.max(0, Math.min(Integer.MAX_VALUE, line[1]));
                stack.add(new StackFrame(named.owner(), named.method(), number));
            }
        }
        return stack;
    }

    private String thread(Raw raw) throws ProfileFormatException {
        for (long[] label : raw.labels()) {
            if (text(label[0]).equals("thread")) {
                return text(label[1]);
            }
        }
        return "";
    }

    private String text(long index) throws ProfileFormatException {
        if (index < 0 || index >= texts.size()) {
            throw new ProfileFormatException("A sample refers to a text that does not exist");
        }
        return texts.get((int) index);
    }
}

package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/// The format of pprof: a gzip of one message of Protocol Buffers (`profile.proto` of google/pprof). Samples have
/// a weight, after a count if they are weighed by time or bytes, and the label `thread` if the thread is known. A
/// text report is the binary file in Base64.
///
/// @param kind the samples to write; null writes the exact tree, whose values are calls and
///     nanoseconds of self time
/// @param all whether to write the tree and all kinds of samples, each as value types of its own
public record PprofReport(@Nullable SampleKind kind, boolean all) implements Report {
    private static final int SAMPLE_TYPE = 1;
    private static final int SAMPLE = 2;
    private static final int LOCATION = 4;
    private static final int FUNCTION = 5;
    private static final int STRING = 6;
    private static final int TIME_NANOS = 9;
    private static final int DURATION_NANOS = 10;
    private static final int DEFAULT_TYPE = 14;
    private static final int COMMENT = 13;

    /// One kind of samples, or the exact tree.
    public PprofReport(@Nullable SampleKind kind) {
        this(kind, false);
    }

    /// Everything in one file.
    public static PprofReport ofAll() {
        return new PprofReport(null, true);
    }

    @Override
    public void write(ProfileResult result, Appendable out) throws IOException {
        out.append(Base64.getMimeEncoder().encodeToString(bytes(result))).append('\n');
    }

    @Override
    public void write(ProfileResult result, Path file) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(bytes(result));
        }
    }

    /// The uncompressed message.
    byte[] bytes(ProfileResult result) {
        return new Message(result).write(kind, all);
    }

    /// One message: its tables of texts, functions and places grow as samples are written.
    private static final class Message {
        private final ProfileResult result;
        private final ProtobufWriter message = new ProtobufWriter();
        private final Map<String, Long> texts = new LinkedHashMap<>();
        private final Map<String, Long> functions = new HashMap<>();
        private final Map<StackFrame, Long> places = new HashMap<>();
        private int types;

        Message(ProfileResult result) {
            this.result = result;
            text("");
        }

        byte[] write(@Nullable SampleKind kind, boolean all) {
            boolean exact = all ? !result.roots().isEmpty() : kind == null;
            List<SampleKind> kinds = new ArrayList<>();
            for (SampleKind each : SampleKind.values()) {
                if (all ? result.weight(each) > 0 : each == kind) {
                    kinds.add(each);
                }
            }
            if (exact) {
                type("calls", "count");
                type("self", "nanoseconds");
                types += 2;
            }
            for (SampleKind each : kinds) {
                if (isWeighed(each)) {
                    type(all ? typeName(each) + "_events" : "events", "count");
                }
                type(typeName(each), unit(each));
                types += isWeighed(each) ? 2 : 1;
            }
            if (exact) {
                tree(result.roots(), new ArrayList<>());
            }
            int at = exact ? 2 : 0;
            for (SampleKind each : kinds) {
                for (Sample sample : result.samples(each)) {
                    long[] values =
                            isWeighed(each)
                                    ? values(at, sample.count(), sample.weight())
                                    : values(at, sample.weight());
                    sample(sample.stack(), values, sample.thread());
                }
                at += isWeighed(each) ? 2 : 1;
            }
            String usual = exact || kinds.isEmpty() ? "self" : typeName(kinds.getFirst());
            for (String note : result.notes()) {
                message.number(COMMENT, text(note));
            }
            long startNanos = ChronoUnit.NANOS.between(Instant.EPOCH, result.startedAt());
            message.number(TIME_NANOS, startNanos);
            message.number(DURATION_NANOS, result.wallNanos());
            message.number(DEFAULT_TYPE, text(usual));
            texts.keySet().forEach(text -> message.text(STRING, text));
            return message.toBytes();
        }

        private static boolean isWeighed(SampleKind kind) {
            return !unit(kind).equals("count");
        }

        /// A value for each type, of which some from `at` on are not 0.
        private long[] values(int at, long... some) {
            long[] values = new long[types];
            System.arraycopy(some, 0, values, at, some.length);
            return values;
        }

        private void type(String type, String unit) {
            message.message(
                    SAMPLE_TYPE, new ProtobufWriter().number(1, text(type)).number(2, text(unit)));
        }

        private void tree(List<CallNode> nodes, List<StackFrame> path) {
            for (CallNode node : nodes) {
                path.addFirst(StackFrame.parse(node.name()));
                sample(path, values(0, node.calls(), node.selfNanos()), "");
                tree(node.children(), path);
                path.removeFirst();
            }
        }

        private void sample(List<StackFrame> stack, long[] values, String thread) {
            long[] locations = new long[stack.size()];
            for (int i = 0; i < locations.length; i++) {
                locations[i] = place(stack.get(i));
            }
            ProtobufWriter sample = new ProtobufWriter();
            sample.packed(1, locations).packed(2, values);
            if (!thread.isEmpty()) {
                sample.message(
                        3, new ProtobufWriter().number(1, text("thread")).number(2, text(thread)));
            }
            message.message(SAMPLE, sample);
        }

        private long place(StackFrame frame) {
            Long known = places.get(frame);
            if (known != null) {
                return known;
            }
            long id = places.size() + 1L;
            places.put(frame, id);
            ProtobufWriter line =
                    new ProtobufWriter().number(1, function(frame)).number(2, frame.line());
            message.message(LOCATION, new ProtobufWriter().number(1, id).message(4, line));
            return id;
        }

        private long function(StackFrame frame) {
            Long known = functions.get(frame.name());
            if (known != null) {
                return known;
            }
            long id = functions.size() + 1L;
            functions.put(frame.name(), id);
            ProtobufWriter function = new ProtobufWriter().number(1, id);
            function.number(2, text(frame.name())).number(3, text(frame.name()));
            function.number(4, text(HprofReport.source(frame.owner())));
            message.message(FUNCTION, function);
            return id;
        }

        private long text(String text) {
            // Invalid Unicode would come out longer than its length says.
            String valid =
                    new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
            return texts.computeIfAbsent(valid, key -> (long) texts.size());
        }
    }

    /// The name of a value type, as in Go's profiles if they have it.
    static String typeName(SampleKind kind) {
        return switch (kind) {
            case CPU -> "samples";
            case CPU_TIME -> "cpu";
            case WALL -> "wall";
            case ALLOCATION -> "alloc_space";
            case SURVIVOR -> "inuse_space";
            case MONITOR -> "delay";
            default -> kind.name().toLowerCase(Locale.ROOT);
        };
    }

    private static String unit(SampleKind kind) {
        return switch (kind.unit()) {
            case "ns" -> "nanoseconds";
            case "bytes" -> "bytes";
            default -> "count";
        };
    }
}

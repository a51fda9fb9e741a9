package dev.oriel.profiler;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// Reads recordings of this profiler or another one, of any program. The format is detected from the content, not
/// the name. It may be a recording of the Flight Recorder (`.jfr`, also of async-profiler), a pprof profile, hprof
/// text, JMH's JSON, collapsed stacks, or a [RunFile].
public final class ProfileReader {
    private static final long BYTES_MAX = 1L << 30;
    private static final int UNPACKED_BYTES_MAX = 1 << 27;

    private ProfileReader() {}

    /// Reads a file.
    ///
    /// @throws ProfileFormatException if it is in no known format, or damaged; the message names the file
    public static ProfileResult read(Path file) throws IOException {
        byte[] head = head(file);
        if (head.length == 0) {
            throw new ProfileFormatException(file + " is empty");
        }
        try {
            ProfileResult result = read(file, head);
            checkSums(result);
            return result.withFact("source", String.valueOf(file.getFileName()));
        } catch (ProfileFormatException e) {
            boolean named = String.valueOf(e.getMessage()).contains(file.toString());
            throw named ? e : new ProfileFormatException(file + ": " + e.getMessage(), e);
        } catch (ArithmeticException e) {
            throw new ProfileFormatException(file + ": the sum of its numbers is too large", e);
        }
    }

    /// Checks that no sum in reports overflows: sums of parts are below these sums, as nothing is negative.
    private static void checkSums(ProfileResult result) throws ProfileFormatException {
        checkCalls(result.roots());
        result.totalNanos();
        result.calls();
        long counts = 0;
        for (Sample sample : result.samples()) {
            if (sample.weight() < 0 || sample.count() < 0) {
                throw new ProfileFormatException(
                        "a sample has the weight "
                                + sample.weight()
                                + " and the count "
                                + sample.count()
                                + ", of which one is negative; record again");
            }
            counts = Math.addExact(counts, sample.count());
        }
        for (SampleKind kind : SampleKind.values()) {
            result.weight(kind);
        }
    }

    private static void checkCalls(List<CallNode> nodes) throws ProfileFormatException {
        for (CallNode node : nodes) {
            if (node.calls() < 0 || node.selfNanos() < 0 || node.detail().allocatedBytes() < 0) {
                throw new ProfileFormatException(
                        "%s has %d calls, %d ns of self time and %d bytes, of which one is negative; record again"
                                .formatted(
                                        node.name(),
                                        node.calls(),
                                        node.selfNanos(),
                                        node.detail().allocatedBytes()));
            }
            checkCalls(node.children());
        }
    }

    private static ProfileResult read(Path file, byte[] head) throws IOException {
        if (starts(head, 'F', 'L', 'R', 0)) {
            return flightRecording(file);
        }
        if (starts(head, 'P', 'K')) {
            return RunFile.read(file);
        }
        if (Files.size(file) > BYTES_MAX) {
            throw new ProfileFormatException("larger than " + Figures.bytes(BYTES_MAX));
        }
        byte[] bytes = Files.readAllBytes(file);
        if (starts(head, 0x1F, 0x8B)) {
            try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
                return PprofReader.read(unpacked(in));
            } catch (ZipException | EOFException e) {
                throw new ProfileFormatException("a damaged gzip: " + e.getMessage(), e);
            }
        }
        return text(bytes);
    }

    /// All bytes of a packed stream: a small file may hold a thousand times its size.
    static byte[] unpacked(InputStream in) throws IOException {
        byte[] bytes = in.readNBytes(UNPACKED_BYTES_MAX + 1);
        if (bytes.length > UNPACKED_BYTES_MAX) {
            throw new ProfileFormatException(
                    "larger than " + Figures.bytes(UNPACKED_BYTES_MAX) + " when unpacked");
        }
        return bytes;
    }

    private static ProfileResult text(byte[] bytes) throws IOException {
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            return PprofReader.read(bytes);
        }
        String begin = text.stripLeading();
        if (begin.startsWith("JAVA PROFILE 1.0.1")) {
            return HprofReader.read(text);
        }
        if (begin.startsWith("JAVA PROFILE")) {
            throw new ProfileFormatException(
                    "a heap dump; only the text format of hprof, version 1.0.1, is read");
        }
        if (begin.startsWith("[") || begin.startsWith("{")) {
            return JmhReader.read(JsonParser.parse(text));
        }
        String first = begin.lines().findFirst().orElse("");
        if (CollapsedReader.weightOf(first.strip()) == null) {
            throw new ProfileFormatException(
                    "not a known format: neither JFR, pprof, hprof text, JMH JSON, collapsed"
                            + " stacks nor a run file");
        }
        List<Sample> samples =
                CollapsedReader.samples(
                        new BufferedReader(new StringReader(text)), SampleKind.CPU, 1);
        return new ProfileResult(
                Instant.EPOCH,
                0,
                ProbeCost.NONE,
                0,
                List.of(),
                samples,
                Totals.UNKNOWN,
                Map.of(),
                List.of(
                        "Collapsed stacks do not say what they count; they are read as CPU"
                                + " samples."));
    }

    private static ProfileResult flightRecording(Path file) throws IOException {
        if (!Sampler.present("jdk.jfr")) {
            throw new ProfileFormatException(
                    "a recording of the Flight Recorder, which only a JVM with the module jdk.jfr"
                            + " can read");
        }
        try {
            return JfrReader.read(file);
        } catch (ProfileFormatException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new ProfileFormatException(
                    "the recording cannot be read; was it cut off? " + e.getMessage(), e);
        }
    }

    private static byte[] head(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return in.readNBytes(8);
        }
    }

    private static boolean starts(byte[] head, int... magic) {
        for (int i = 0; i < magic.length; i++) {
            if (i >= head.length || (head[i] & 0xFF) != magic[i]) {
                return false;
            }
        }
        return true;
    }
}

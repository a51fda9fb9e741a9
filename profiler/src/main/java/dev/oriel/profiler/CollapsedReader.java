package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads collapsed stacks: lines of frames from the outermost on, separated by semicolons, then a space and a
/// weight. If there are two weights, as in a comparison, the last is read.
final class CollapsedReader {
    private final Map<String, StackFrame> frames = new HashMap<>();

    private CollapsedReader() {}

    /// One sample a line, weighed by its number times `unit`.
    static List<Sample> samples(BufferedReader lines, SampleKind kind, long unit)
            throws IOException {
        CollapsedReader reader = new CollapsedReader();
        List<Sample> samples = new ArrayList<>();
        int number = 0;
        String line;
        while ((line = lines.readLine()) != null) {
            number++;
            if (!line.isBlank()) {
                samples.add(reader.sample(line.strip(), number, kind, unit));
            }
        }
        return samples;
    }

    /// The weight of a line of collapsed stacks, or null if it is not one.
    static @Nullable String weightOf(String line) {
        int space = line.lastIndexOf(' ');
        String weight = line.substring(space + 1);
        boolean number = !weight.isEmpty() && weight.chars().allMatch(c -> c >= '0' && c <= '9');
        return space > 0 && number ? weight : null;
    }

    private Sample sample(String line, int number, SampleKind kind, long unit)
            throws ProfileFormatException {
        String weight = weightOf(line);
        if (weight == null) {
            throw new ProfileFormatException(
                    "Line " + number + " is not a stack and a number: " + cut(line));
        }
        String path = line.substring(0, line.length() - weight.length()).strip();
        String before = weightOf(path);
        if (before != null) {
            path = path.substring(0, path.length() - before.length()).strip();
        }
        List<StackFrame> stack = new ArrayList<>();
        for (String frame : path.equals("(no stack)") ? new String[0] : path.split(";", -1)) {
            stack.add(frames.computeIfAbsent(frame, CollapsedReader::frame));
        }
        try {
            long count = Long.parseLong(weight);
            return new Sample(
                    kind, 0, "", stack.reversed(), Math.multiplyExact(count, unit), count, "");
        } catch (ArithmeticException | NumberFormatException e) {
            throw new ProfileFormatException("The number of line " + number + " is too large", e);
        }
    }

    /// A frame, which async-profiler may have written with slashes and a suffix for its compilation level.
    private static StackFrame frame(String text) {
        String plain = text;
        if (plain.length() > 4
                && plain.endsWith("]")
                && plain.startsWith("_[", plain.length() - 4)) {
            plain = plain.substring(0, plain.length() - 4);
        }
        if (plain.indexOf('/') > 0 && plain.indexOf('.') > plain.lastIndexOf('/')) {
            plain = plain.replace('/', '.');
        }
        return StackFrame.parse(plain);
    }

    private static String cut(String line) {
        return line.length() <= 60 ? line : line.substring(0, 60) + "...";
    }
}

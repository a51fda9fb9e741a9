package dev.oriel.profiler;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// A way to write a [ProfileResult] down. Reports are immutable, and write the same for the same
/// result. Text is UTF-8 with `\n` at the end of lines.
public interface Report {
    /// Writes the whole report.
    void write(ProfileResult result, Appendable out) throws IOException;

    /// Writes the report to a file, in place of what the file held.
    default void write(ProfileResult result, Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            write(result, out);
        }
    }

    /// The report that belongs to the ending of a file's name: `.html`, `.json`, `.collapsed`,
    /// `.hprof`, and the call tree as text for any other.
    static Report byName(Path file, String title) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        String ending = name.substring(name.lastIndexOf('.') + 1);
        return switch (ending) {
            case "html", "htm" -> new HtmlReport(title);
            case "json" -> new JsonReport();
            case "collapsed" -> CollapsedReport.exact();
            case "hprof" -> new HprofReport();
            default -> new TreeReport();
        };
    }
}

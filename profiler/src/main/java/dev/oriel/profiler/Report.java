package dev.oriel.profiler;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A format for a [ProfileResult]. Reports are immutable, and write the same for the same result. Text is UTF-8
/// with `\n` at the end of lines.
public interface Report {
    /// Writes the whole report.
    void write(ProfileResult result, Appendable out) throws IOException;

    /// Writes the report to a file, and replaces its content.
    default void write(ProfileResult result, Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            write(result, out);
        }
    }

    /// The report that belongs to the ending of a file's name ([ReportFormat]), and the call tree as
    /// text for any other.
    static Report byName(Path file, String title) {
        ReportFormat known = ReportFormat.of(file);
        ReportFormat format = known == null ? ReportFormat.TREE : known;
        return new Report() {
            @Override
            public void write(ProfileResult result, Appendable out) throws IOException {
                of(result).write(result, out);
            }

            @Override
            public void write(ProfileResult result, Path to) throws IOException {
                of(result).write(result, to);
            }

            private Report of(ProfileResult result) {
                return format.report(result, title, null, ClassCode.ofThisProgram());
            }
        };
    }
}

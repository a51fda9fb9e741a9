package dev.oriel.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The part of a document between two markers, which is written by the benchmarks:
/// `<!-- NAME: begin -->` and `<!-- NAME: end -->`, each on a line of its own.
///
/// @param name what stands in the markers
public record DocumentBlock(String name) {
    /// The tables of a document of its own.
    public static final DocumentBlock RESULTS = new DocumentBlock("results");

    /// The short table.
    public static final DocumentBlock FIGURES = new DocumentBlock("figures");

    /// Replaces what stands between the markers of a file; the markers stay.
    ///
    /// @throws IOException where the file or a marker is missing, with a message for the user
    public void replace(Path file, String text) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + ": there is no such file.");
        }
        String before = Files.readString(file);
        String after;
        try {
            after = replaced(before, text);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
        if (!after.equals(before)) {
            Files.writeString(file, after);
        }
    }

    /// The document with another text between its markers.
    ///
    /// @throws IllegalArgumentException where a marker is missing, there twice, or they are swapped
    String replaced(String document, String text) {
        int begin = only(document, marker("begin"));
        int end = only(document, marker("end"));
        if (end < begin) {
            throw new IllegalArgumentException(
                    marker("end") + " stands before " + marker("begin") + ". Swap them.");
        }
        return document.substring(0, begin + marker("begin").length())
                + "\n"
                + text.strip()
                + "\n"
                + document.substring(end);
    }

    private static int only(String document, String marker) {
        int at = document.indexOf(marker);
        if (at < 0) {
            throw new IllegalArgumentException(
                    "the line " + marker + " is missing. Write it where the tables shall be.");
        }
        if (document.indexOf(marker, at + 1) >= 0) {
            throw new IllegalArgumentException(
                    "the line " + marker + " is there twice. Leave one.");
        }
        return at;
    }

    private String marker(String which) {
        return "<!-- " + name + ": " + which + " -->";
    }
}

package dev.oriel.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The part of a document between two markers that is generated from benchmark results: `<!-- NAME: begin -->` and
/// `<!-- NAME: end -->`, each on a line of its own.
public enum DocumentBlock {
    /// The tables of a document of its own.
    RESULTS("results"),

    /// The state of the targets.
    TARGETS("targets"),

    /// The short table.
    FIGURES("figures");

    private final String name;

    DocumentBlock(String name) {
        this.name = name;
    }

    /// Rewrites the blocks of a file; the markers stay.
    ///
    /// @throws IOException with a message for the user if the file is missing, or has no block or half
    ///     of one
    public static void replaceAll(Path file, MarkdownReport report) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + ": there is no such file.");
        }
        String before = Files.readString(file);
        String after;
        try {
            after = replacedAll(before, report);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
        if (!after.equals(before)) {
            Files.writeString(file, after);
        }
    }

    /// The document with its blocks replaced by the report's.
    ///
    /// @throws IllegalArgumentException if it has no block, or half of one, or one twice
    static String replacedAll(String document, MarkdownReport report) {
        String after = document;
        boolean found = false;
        for (DocumentBlock block : values()) {
            if (block.standsIn(document)) {
                after = block.replaced(after, block.text(report));
                found = true;
            }
        }
        if (!found) {
            throw new IllegalArgumentException(
                    "it has no block to be written. Write the lines %s and %s where the tables shall be."
                            .formatted(RESULTS.marker("begin"), RESULTS.marker("end")));
        }
        return after;
    }

    /// Whether a document has at least one of the block's markers.
    boolean standsIn(String document) {
        return document.contains(marker("begin")) || document.contains(marker("end"));
    }

    /// The document with `between` as the text between the markers.
    ///
    /// @throws IllegalArgumentException if a marker is missing or duplicated, or they are swapped
    String replaced(String document, String between) {
        int begin = only(document, marker("begin"));
        int end = only(document, marker("end"));
        if (end < begin) {
            throw new IllegalArgumentException(
                    marker("end") + " stands before " + marker("begin") + ". Swap them.");
        }
        return document.substring(0, begin + marker("begin").length())
                + "\n"
                + between.strip()
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

    private String text(MarkdownReport report) {
        return switch (this) {
            case RESULTS -> report.results();
            case TARGETS -> report.targets();
            case FIGURES -> report.figures();
        };
    }

    private String marker(String which) {
        return "<!-- " + name + ": " + which + " -->";
    }
}

package dev.oriel.cli;

import java.io.PrintWriter;

/// The destination of output, and its capabilities.
///
/// @param columns width of a line; [#ENDLESS] if it is no terminal
/// @param colour whether escape sequences are understood
record Screen(PrintWriter out, int columns, boolean colour) {
    static final int ENDLESS = 0;

    boolean terminal() {
        return columns != ENDLESS;
    }

    String bold(String text) {
        return colour ? "\033[1m" + text + "\033[0m" : text;
    }

    String dim(String text) {
        return colour ? "\033[2m" + text + "\033[0m" : text;
    }

    String red(String text) {
        return colour ? "\033[31m" + text + "\033[0m" : text;
    }
}

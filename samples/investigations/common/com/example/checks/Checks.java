package com.example.checks;

/// Checks of arguments.
final class Checks {
    private Checks() {}

    static void checkArgument(boolean right, String message) {
        if (!right) {
            throw new IllegalArgumentException(message);
        }
    }
}

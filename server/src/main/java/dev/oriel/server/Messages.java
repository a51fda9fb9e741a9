package dev.oriel.server;

import dev.oriel.kv.Status;

/// Messages of the binary protocol's errors, in memcached's words if it has them.
final class Messages {
    private Messages() {}

    static String of(Status status) {
        return switch (status) {
            case NOT_FOUND -> "Not found";
            case EXISTS -> "Data exists for key.";
            case TOO_BIG -> "Too large.";
            case INVALID -> "Invalid arguments";
            case NOT_STORED -> "Not stored.";
            case NOT_A_NUMBER -> "Non-numeric server-side value for incr or decr";
            case AUTH_ERROR -> "Auth failure.";
            case ACCESS_DENIED -> "Access denied";
            case UNKNOWN_COMMAND -> "Unknown command";
            case OUT_OF_MEMORY -> "Out of memory";
            case NOT_SUPPORTED -> "Not supported";
            case TEMPORARY_FAILURE -> "Temporary failure";
            case INTERNAL -> "Internal error";
            default -> status.name();
        };
    }
}

package dev.oriel.server;

import dev.oriel.kv.Status;

/// The error map for Couchbase's clients: the attributes of each status, such as whether it is temporary.
final class ErrorMap {
    static final byte[] JSON_TEXT = BinaryProtocol.text(json());

    private ErrorMap() {}

    private static String json() {
        StringBuilder json = new StringBuilder("{\"version\":2,\"revision\":1,\"errors\":{");
        String comma = "";
        for (Status status : Status.values()) {
            if (status == Status.UNKNOWN) {
                continue;
            }
            json.append(comma).append('"').append(Integer.toHexString(status.code()));
            json.append("\":{\"name\":\"").append(status.name());
            json.append("\",\"desc\":\"").append(Messages.of(status));
            json.append("\",\"attrs\":[").append(attributes(status)).append("]}");
            comma = ",";
        }
        return json.append("}}").toString();
    }

    private static String attributes(Status status) {
        return switch (status) {
            case SUCCESS, SUCCESS_DELETED -> "\"success\"";
            case NOT_FOUND, EXISTS, NOT_STORED, NOT_A_NUMBER, LOCKED -> "\"item-only\"";
            case TEMPORARY_FAILURE, BUSY, OUT_OF_MEMORY -> "\"temp\",\"retry-later\"";
            case AUTH_ERROR, AUTH_STALE -> "\"conn-state-invalidated\",\"auth\"";
            case NOT_SUPPORTED, UNKNOWN_COMMAND -> "\"support\"";
            default -> status.code() >= 0xc0 ? "\"item-only\",\"subdoc\"" : "\"internal\"";
        };
    }
}

package com.example.status;

/// What a response says.
enum Status {
    SUCCESS(0x00),
    NOT_FOUND(0x01),
    EXISTS(0x02),
    TOO_BIG(0x03),
    INVALID(0x04),
    NOT_STORED(0x05),
    NOT_A_NUMBER(0x06),
    WRONG_PARTITION(0x07),
    NO_BUCKET(0x08),
    LOCKED(0x09),
    AUTHENTICATION_ERROR(0x20),
    AUTHENTICATION_CONTINUES(0x21),
    OUT_OF_RANGE(0x22),
    ROLLBACK(0x23),
    NO_ACCESS(0x24),
    UNKNOWN_COMMAND(0x81),
    OUT_OF_MEMORY(0x82),
    NOT_SUPPORTED(0x83),
    INTERNAL_ERROR(0x84),
    BUSY(0x85),
    TRY_LATER(0x86);

    private final int code;

    Status(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static Status of(int code) {
        for (Status status : values()) {
            if (status.code == code) {
                return status;
            }
        }
        throw new IllegalArgumentException("There is no status " + code);
    }
}

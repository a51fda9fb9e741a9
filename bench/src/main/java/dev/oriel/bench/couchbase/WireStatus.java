package dev.oriel.bench.couchbase;

/// The statuses that a key-value client of 2015 knew, in the order of their numbers, and the ways to find one by
/// its number, from the article on decoding them. Written from its description.
enum WireStatus {
    SUCCESS(0x00),
    NOT_FOUND(0x01),
    EXISTS(0x02),
    TOO_BIG(0x03),
    INVALID(0x04),
    NOT_STORED(0x05),
    DELTA_BAD(0x06),
    NOT_MY_VBUCKET(0x07),
    NO_BUCKET(0x08),
    AUTH_STALE(0x1f),
    AUTH_ERROR(0x20),
    AUTH_CONTINUE(0x21),
    RANGE(0x22),
    ROLLBACK(0x23),
    ACCESS(0x24),
    NOT_INITIALIZED(0x25),
    UNKNOWN_COMMAND(0x81),
    NO_MEMORY(0x82),
    NOT_SUPPORTED(0x83),
    INTERNAL(0x84),
    BUSY(0x85),
    TEMP_FAIL(0x86),
    UNKNOWN(0xFFFF);

    private static final WireStatus[] VALUES = values();

    /// The most frequent statuses of responses, first.
    private static final WireStatus[] COMMON_FIRST = commonFirst();

    private final int code;

    WireStatus(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    private static WireStatus[] commonFirst() {
        WireStatus[] common = {
            SUCCESS, NOT_FOUND, EXISTS, NOT_MY_VBUCKET, BUSY, TOO_BIG, TEMP_FAIL
        };
        WireStatus[] all = new WireStatus[values().length];
        System.arraycopy(common, 0, all, 0, common.length);
        int at = common.length;
        for (WireStatus status : values()) {
            boolean first = false;
            for (WireStatus one : common) {
                first |= one == status;
            }
            if (!first) {
                all[at++] = status;
            }
        }
        return all;
    }

    /// The original: a loop over a fresh copy of all.
    static WireStatus byValues(int code) {
        for (WireStatus status : values()) {
            if (status.code == code) {
                return status;
            }
        }
        return UNKNOWN;
    }

    /// A reader's suggestion: the copy is made once.
    static WireStatus byCached(int code) {
        for (WireStatus status : VALUES) {
            if (status.code == code) {
                return status;
            }
        }
        return UNKNOWN;
    }

    /// [#byValues] with the common statuses first.
    static WireStatus byReordered(int code) {
        for (WireStatus status : COMMON_FIRST) {
            if (status.code == code) {
                return status;
            }
        }
        return UNKNOWN;
    }

    /// The first repair: the usual statuses of a read are compared first.
    static WireStatus byTwo(int code) {
        if (code == SUCCESS.code) {
            return SUCCESS;
        } else if (code == NOT_FOUND.code) {
            return NOT_FOUND;
        }
        return byValues(code);
    }

    /// The second repair: all common ones are compared first.
    static WireStatus byIf(int code) {
        if (code == SUCCESS.code) {
            return SUCCESS;
        } else if (code == NOT_FOUND.code) {
            return NOT_FOUND;
        } else if (code == EXISTS.code) {
            return EXISTS;
        } else if (code == NOT_MY_VBUCKET.code) {
            return NOT_MY_VBUCKET;
        } else if (code == BUSY.code) {
            return BUSY;
        } else if (code == TOO_BIG.code) {
            return TOO_BIG;
        } else if (code == TEMP_FAIL.code) {
            return TEMP_FAIL;
        }
        return byValues(code);
    }

    /// Finds the status by a switch.
    static WireStatus bySwitch(int code) {
        return switch (code) {
            case 0x00 -> SUCCESS;
            case 0x01 -> NOT_FOUND;
            case 0x02 -> EXISTS;
            case 0x07 -> NOT_MY_VBUCKET;
            case 0x85 -> BUSY;
            case 0x03 -> TOO_BIG;
            case 0x86 -> TEMP_FAIL;
            default -> byValues(code);
        };
    }
}

package dev.oriel.kv;

/// Outcome of a key-value operation, with its number in the binary protocol.
///
/// Clients call [#of] on every response: it is one array read for any number, and allocates nothing.
public enum Status {
    SUCCESS(0x00),
    NOT_FOUND(0x01),
    EXISTS(0x02),
    TOO_BIG(0x03),
    INVALID(0x04),
    NOT_STORED(0x05),
    NOT_A_NUMBER(0x06),
    NOT_MY_VBUCKET(0x07),
    NO_BUCKET(0x08),
    LOCKED(0x09),
    STREAM_NOT_FOUND(0x0a),
    WOULD_THROTTLE(0x0c),
    CONFIG_ONLY(0x0d),
    NOT_LOCKED(0x0e),
    CAS_INVALID(0x0f),
    AUTH_STALE(0x1f),
    AUTH_ERROR(0x20),
    AUTH_CONTINUE(0x21),
    RANGE(0x22),
    ROLLBACK(0x23),
    ACCESS_DENIED(0x24),
    NOT_INITIALIZED(0x25),
    ENCRYPTION_KEY_UNAVAILABLE(0x26),
    ENCRYPTION_CHECKSUM(0x27),
    EXPIRY_OVERFLOW(0x28),
    LOCK_EXPIRY_OVERFLOW(0x29),
    RATE_NETWORK_IN(0x30),
    RATE_NETWORK_OUT(0x31),
    RATE_CONNECTIONS(0x32),
    RATE_OPERATIONS(0x33),
    BUCKET_SIZE_LIMIT(0x35),
    BUCKET_RESIDENT_LIMIT(0x36),
    BUCKET_DISK_LIMIT(0x37),
    BUCKET_PAUSED(0x38),
    PAUSED(0x50),
    CANCELLED(0x51),
    UNKNOWN_FRAME(0x80),
    UNKNOWN_COMMAND(0x81),
    OUT_OF_MEMORY(0x82),
    NOT_SUPPORTED(0x83),
    INTERNAL(0x84),
    BUSY(0x85),
    TEMPORARY_FAILURE(0x86),
    XATTR_INVALID(0x87),
    UNKNOWN_COLLECTION(0x88),
    NO_COLLECTIONS_MANIFEST(0x89),
    CANNOT_APPLY_MANIFEST(0x8a),
    MANIFEST_AHEAD(0x8b),
    UNKNOWN_SCOPE(0x8c),
    DURABILITY_INVALID(0xa0),
    DURABILITY_IMPOSSIBLE(0xa1),
    SYNC_WRITE_IN_PROGRESS(0xa2),
    SYNC_WRITE_AMBIGUOUS(0xa3),
    SYNC_WRITE_RECOMMIT(0xa4),
    RANGE_SCAN_CANCELLED(0xa5),
    RANGE_SCAN_MORE(0xa6),
    RANGE_SCAN_COMPLETE(0xa7),
    VBUUID_NOT_EQUAL(0xa8),
    PATH_NOT_FOUND(0xc0),
    PATH_MISMATCH(0xc1),
    PATH_INVALID(0xc2),
    PATH_TOO_BIG(0xc3),
    DOCUMENT_TOO_DEEP(0xc4),
    CANNOT_INSERT(0xc5),
    NOT_JSON(0xc6),
    NUMBER_RANGE(0xc7),
    DELTA_INVALID(0xc8),
    PATH_EXISTS(0xc9),
    VALUE_TOO_DEEP(0xca),
    COMBINATION_INVALID(0xcb),
    MULTI_PATH_FAILURE(0xcc),
    SUCCESS_DELETED(0xcd),
    XATTR_FLAGS_INVALID(0xce),
    XATTR_KEYS_INVALID(0xcf),
    XATTR_MACRO_UNKNOWN(0xd0),
    XATTR_VIRTUAL_UNKNOWN(0xd1),
    XATTR_VIRTUAL_READ_ONLY(0xd2),
    MULTI_PATH_FAILURE_DELETED(0xd3),
    XATTR_ORDER_INVALID(0xd4),
    XATTR_VIRTUAL_MACRO_UNKNOWN(0xd5),
    ONLY_DELETED_REVIVED(0xd6),
    DELETED_HAS_VALUE(0xd7),
    XATTR_TWICE(0xd8),

    /// Stands for every unnamed number; it is never sent.
    UNKNOWN(0xFFFF);

    /// Enough for every named number; a power of two, so that the bounds check is a shift.
    private static final int TABLE_SIZE = 256;

    private static final Status[] BY_CODE = byCode();

    private final int code;

    Status(int code) {
        this.code = code;
    }

    private static Status[] byCode() {
        Status[] table = new Status[TABLE_SIZE];
        java.util.Arrays.fill(table, UNKNOWN);
        for (Status status : values()) {
            if (status != UNKNOWN) {
                table[status.code] = status;
            }
        }
        return table;
    }

    /// The status of the number `code`, 0 to 65535; UNKNOWN if it has no name. Allocates nothing.
    public static Status of(int code) {
        return code >>> 8 == 0 ? BY_CODE[code & 0xFF] : UNKNOWN;
    }

    /// The number in the binary protocol.
    public int code() {
        return code;
    }

    /// Whether the operation succeeded.
    public boolean isSuccess() {
        return this == SUCCESS || this == SUCCESS_DELETED;
    }
}

package dev.oriel.server;

import org.jspecify.annotations.Nullable;

/// The binary protocol's numbers of operations, memcached's and Couchbase's.
final class Opcode {
    static final int GET = 0x00;
    static final int SET = 0x01;
    static final int ADD = 0x02;
    static final int REPLACE = 0x03;
    static final int DELETE = 0x04;
    static final int INCREMENT = 0x05;
    static final int DECREMENT = 0x06;
    static final int QUIT = 0x07;
    static final int FLUSH = 0x08;
    static final int GETQ = 0x09;
    static final int NOOP = 0x0a;
    static final int VERSION = 0x0b;
    static final int GETK = 0x0c;
    static final int GETKQ = 0x0d;
    static final int APPEND = 0x0e;
    static final int PREPEND = 0x0f;
    static final int STAT = 0x10;
    static final int SETQ = 0x11;
    static final int PREPENDQ = 0x1a;
    static final int VERBOSITY = 0x1b;
    static final int TOUCH = 0x1c;
    static final int GAT = 0x1d;
    static final int GATQ = 0x1e;
    static final int HELLO = 0x1f;
    static final int SASL_LIST = 0x20;
    static final int SASL_AUTH = 0x21;
    static final int SASL_STEP = 0x22;
    static final int GATK = 0x23;
    static final int GATKQ = 0x24;
    static final int LIST_BUCKETS = 0x87;
    static final int SELECT_BUCKET = 0x89;
    static final int GET_LOCKED = 0x94;
    static final int UNLOCK = 0x95;
    static final int GET_META = 0xa0;
    static final int CLUSTER_CONFIG = 0xb5;
    static final int COLLECTIONS_MANIFEST = 0xba;
    static final int COLLECTION_ID = 0xbb;
    static final int SCOPE_ID = 0xbc;
    static final int PATH_GET = 0xc5;
    static final int PATH_EXISTS = 0xc6;
    static final int PATH_INSERT = 0xc7;
    static final int PATH_UPSERT = 0xc8;
    static final int PATH_REMOVE = 0xc9;
    static final int PATH_REPLACE = 0xca;
    static final int PATH_APPEND = 0xcb;
    static final int PATH_PREPEND = 0xcc;
    static final int PATH_ARRAY_INSERT = 0xcd;
    static final int PATH_ADD_UNIQUE = 0xce;
    static final int PATH_COUNTER = 0xcf;
    static final int MULTI_LOOKUP = 0xd0;
    static final int MULTI_MUTATION = 0xd1;
    static final int PATH_COUNT = 0xd2;
    static final int ERROR_MAP = 0xfe;

    private static final int[] LOUD = {
        SET, ADD, REPLACE, DELETE, INCREMENT, DECREMENT, QUIT, FLUSH, APPEND, PREPEND
    };

    private Opcode() {}

    /// The loud operation of a quiet one, or itself.
    static int loud(int opcode) {
        if (opcode >= SETQ && opcode <= PREPENDQ) {
            return opcode < 0x19 ? LOUD[opcode - SETQ] : opcode == 0x19 ? APPEND : PREPEND;
        }
        return switch (opcode) {
            case GETQ -> GET;
            case GETKQ -> GETK;
            case GATQ -> GAT;
            case GATKQ -> GATK;
            default -> opcode;
        };
    }

    /// The name of the operation in metrics; `other` for one that is unknown.
    static String name(int opcode) {
        return switch (loud(opcode)) {
            case GET -> "get";
            case SET -> "set";
            case ADD -> "add";
            case REPLACE -> "replace";
            case DELETE -> "delete";
            case INCREMENT -> "increment";
            case DECREMENT -> "decrement";
            case QUIT -> "quit";
            case FLUSH -> "flush";
            case NOOP -> "noop";
            case VERSION -> "version";
            case GETK -> "getk";
            case APPEND -> "append";
            case PREPEND -> "prepend";
            case STAT -> "stat";
            case VERBOSITY -> "verbosity";
            case TOUCH -> "touch";
            case GAT -> "gat";
            case HELLO -> "hello";
            case SASL_LIST -> "sasl_list";
            case SASL_AUTH -> "sasl_auth";
            case SASL_STEP -> "sasl_step";
            case GATK -> "gatk";
            case LIST_BUCKETS -> "list_buckets";
            case SELECT_BUCKET -> "select_bucket";
            case GET_LOCKED -> "get_locked";
            case UNLOCK -> "unlock";
            case GET_META -> "get_meta";
            case CLUSTER_CONFIG -> "cluster_config";
            case COLLECTIONS_MANIFEST -> "collections_manifest";
            case COLLECTION_ID -> "collection_id";
            case SCOPE_ID -> "scope_id";
            case PATH_GET -> "path_get";
            case PATH_EXISTS -> "path_exists";
            case PATH_INSERT -> "path_insert";
            case PATH_UPSERT -> "path_upsert";
            case PATH_REMOVE -> "path_remove";
            case PATH_REPLACE -> "path_replace";
            case PATH_APPEND -> "path_append";
            case PATH_PREPEND -> "path_prepend";
            case PATH_ARRAY_INSERT -> "path_array_insert";
            case PATH_ADD_UNIQUE -> "path_add_unique";
            case PATH_COUNTER -> "path_counter";
            case MULTI_LOOKUP -> "multi_lookup";
            case MULTI_MUTATION -> "multi_mutation";
            case PATH_COUNT -> "path_count";
            case ERROR_MAP -> "error_map";
            default -> "other";
        };
    }

    /// Whether the answer of `opcode` carries the key.
    static boolean hasKey(int loud) {
        return loud == GETK || loud == GATK;
    }

    /// The access rule of the operation; null if the number is unknown. The only table of operations: others are
    /// refused.
    static @Nullable Access access(int opcode) {
        return switch (loud(opcode)) {
            case NOOP, VERSION, QUIT, HELLO, ERROR_MAP, SASL_LIST, SASL_AUTH, SASL_STEP ->
                    Access.ANYBODY;
            case VERBOSITY,
                    STAT,
                    LIST_BUCKETS,
                    SELECT_BUCKET,
                    CLUSTER_CONFIG,
                    COLLECTIONS_MANIFEST,
                    COLLECTION_ID,
                    SCOPE_ID ->
                    Access.USER;
            case GET, GETK, GET_META, PATH_GET, PATH_EXISTS, PATH_COUNT, MULTI_LOOKUP ->
                    Access.READ;
            case SET, ADD, REPLACE, APPEND, PREPEND, DELETE, INCREMENT, DECREMENT -> Access.WRITE;
            case TOUCH, GAT, GATK, GET_LOCKED, UNLOCK, MULTI_MUTATION -> Access.WRITE;
            case PATH_INSERT,
                    PATH_UPSERT,
                    PATH_REMOVE,
                    PATH_REPLACE,
                    PATH_APPEND,
                    PATH_PREPEND,
                    PATH_ARRAY_INSERT,
                    PATH_ADD_UNIQUE,
                    PATH_COUNTER ->
                    Access.WRITE;
            case FLUSH -> Access.ADMIN;
            default -> null;
        };
    }
}

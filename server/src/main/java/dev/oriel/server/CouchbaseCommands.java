package dev.oriel.server;

import dev.oriel.kv.BucketSession;
import dev.oriel.kv.Change;
import dev.oriel.kv.Status;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Requests of Couchbase's clients before and during their work: features, errors, buckets, collections and the
/// cluster map.
///
/// A collection is a bucket of its own, named `BUCKET$SCOPE$COLLECTION`. Its number is its table's number plus 8,
/// so it is stable for the life of the table. `_default._default` is the bucket itself and has the number 0.
final class CouchbaseCommands {
    static final int FIRST_COLLECTION = 8;

    private static final byte[] NOTHING = {};

    private static final int TCP_NODELAY = 0x03;
    private static final int XATTR = 0x06;
    private static final int XERROR = 0x07;
    private static final int SELECT_BUCKET = 0x08;
    private static final int JSON = 0x0b;
    private static final int UNORDERED = 0x0e;
    private static final int ALT_REQUEST = 0x10;
    private static final int SYNC_REPLICATION = 0x11;
    private static final int COLLECTIONS = 0x12;
    private static final int PRESERVE_TTL = 0x14;

    private final Client client;
    private final BinaryProtocol protocol;
    private boolean collections;

    /// Buckets of collections by the number.
    private final Map<Integer, String> others = new HashMap<>();

    /// Version of the catalog at which `others` was filled.
    private long seenVersion;

    CouchbaseCommands(Client client, BinaryProtocol protocol) {
        this.client = client;
        this.protocol = protocol;
    }

    /// Answers the request if it is one of these.
    boolean takes(int opcode) {
        Request request = protocol.request();
        switch (opcode) {
            case Opcode.HELLO -> hello(request);
            case Opcode.ERROR_MAP ->
                    protocol.answer(Status.SUCCESS, NOTHING, ErrorMap.JSON_TEXT, 0);
            case Opcode.SELECT_BUCKET,
                    Opcode.CLUSTER_CONFIG,
                    Opcode.COLLECTION_ID,
                    Opcode.SCOPE_ID,
                    Opcode.COLLECTIONS_MANIFEST,
                    Opcode.LIST_BUCKETS ->
                    answerKnown(opcode, request);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void answerKnown(int opcode, Request request) {
        switch (opcode) {
            case Opcode.SELECT_BUCKET -> {
                Status chosen = client.select(request.keyText());
                if (chosen == Status.SUCCESS) {
                    others.clear(); // they are the other bucket's
                }
                protocol.answer(chosen);
            }
            case Opcode.CLUSTER_CONFIG -> {
                String bucket = client.bucket();
                OrielServer server = client.server();
                String config =
                        bucket == null
                                ? ClusterConfig.ofCluster(server)
                                : ClusterConfig.of(server, bucket);
                protocol.answer(Status.SUCCESS, NOTHING, BinaryProtocol.text(config), 0);
            }
            case Opcode.COLLECTION_ID -> collectionId(request);
            case Opcode.SCOPE_ID -> scopeId(request);
            case Opcode.COLLECTIONS_MANIFEST -> {
                String bucket = client.bucket();
                if (bucket == null) {
                    protocol.answer(Status.NO_BUCKET);
                } else {
                    String manifest = Manifest.of(client.server(), bucket);
                    protocol.answer(Status.SUCCESS, NOTHING, BinaryProtocol.text(manifest), 0);
                }
            }
            default -> {
                List<String> names =
                        client.server().buckets().names().stream()
                                .filter(name -> client.may(Role.READ, name))
                                .toList();
                byte[] text = BinaryProtocol.text(String.join(" ", names));
                protocol.answer(Status.SUCCESS, NOTHING, text, 0);
            }
        }
    }

    /// Answers with the requested features that are supported.
    private void hello(Request request) {
        ByteArrayOutputStream granted = new ByteArrayOutputStream();
        collections = false;
        for (int i = 0; i + 1 < request.valueLength; i += 2) {
            int feature = request.in.shortAt(request.valueAt + i);
            switch (feature) {
                case TCP_NODELAY,
                        XATTR,
                        XERROR,
                        SELECT_BUCKET,
                        JSON,
                        UNORDERED,
                        ALT_REQUEST,
                        SYNC_REPLICATION,
                        COLLECTIONS,
                        PRESERVE_TTL -> {
                    collections |= feature == COLLECTIONS;
                    granted.write(feature >> 8);
                    granted.write(feature);
                }
                default -> {}
            }
        }
        protocol.answer(Status.SUCCESS, NOTHING, granted.toByteArray(), 0);
    }

    /// The number of the collection whose path, `scope.collection`, is the value (or the key).
    private void collectionId(Request request) {
        String path = request.valueLength > 0 ? text(request.value()) : request.keyText();
        int dot = path.indexOf('.');
        String bucket = client.bucket();
        if (dot < 0 || bucket == null) {
            protocol.answer(bucket == null ? Status.NO_BUCKET : Status.INVALID);
            return;
        }
        int id =
                Manifest.id(
                        client.server(), bucket, path.substring(0, dot), path.substring(dot + 1));
        if (id < 0) {
            // Also if the scope exists: the SDKs take UNKNOWN_COLLECTION as temporary, and retry
            // until they give
            // up. Definitions are effective at once here.
            protocol.answer(Status.UNKNOWN_SCOPE);
            return;
        }
        byte[] extras = new byte[12];
        java.nio.ByteBuffer.wrap(extras).putLong(Manifest.uid(client.server())).putInt(id);
        protocol.answer(Status.SUCCESS, extras, NOTHING, 0);
    }

    private void scopeId(Request request) {
        String path = request.valueLength > 0 ? text(request.value()) : request.keyText();
        String bucket = client.bucket();
        String scope = path.contains(".") ? path.substring(0, path.indexOf('.')) : path;
        if (bucket == null || !Manifest.hasScope(client.server(), bucket, scope)) {
            protocol.answer(bucket == null ? Status.NO_BUCKET : Status.UNKNOWN_SCOPE);
            return;
        }
        byte[] extras = new byte[12];
        java.nio.ByteBuffer.wrap(extras)
                .putLong(Manifest.uid(client.server()))
                .putInt(Manifest.scopeId(scope));
        protocol.answer(Status.SUCCESS, extras, NOTHING, 0);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// Switches the client to the collection that the request's key begins with, until [#leaveCollection].
    Status chooseCollection(Request request) {
        if (client.bucket() == null) {
            return Status.NO_BUCKET;
        }
        if (!collections) {
            return Status.SUCCESS;
        }
        if (request.keyLength > 0 && !request.readCollection()) {
            return Status.INVALID;
        }
        int id = request.collection;
        if (id == 0) {
            return Status.SUCCESS;
        }
        long version = client.server().buckets().catalogVersion();
        if (version != seenVersion) { // a collection may be gone
            others.clear();
            seenVersion = version;
        }
        String other = others.get(id);
        if (other == null) {
            other = Manifest.bucketOf(client.server(), client.bucket(), id);
            if (other == null) {
                return Status.UNKNOWN_COLLECTION;
            }
            others.put(id, other);
        }
        client.use(other);
        return Status.SUCCESS;
    }

    /// Whether requests name a collection: then the bucket's own session may not be needed.
    boolean usesCollections() {
        return collections;
    }

    void leaveCollection() {
        client.use(null);
    }

    /// `exists` of the SDK: the metadata of an entry.
    void meta(Request request) {
        String key = request.key();
        if (key == null) {
            protocol.answer(Status.INVALID);
            return;
        }
        BucketSession session = client.session();
        Status status = client.look(key);
        if (status != Status.SUCCESS) {
            protocol.answer(status);
            return;
        }
        boolean withDatatype = request.extrasLength > 0;
        java.nio.ByteBuffer extras = java.nio.ByteBuffer.allocate(withDatatype ? 21 : 20);
        long expires = session.expiresAtMicros();
        extras.putInt(0);
        extras.putInt(session.flags());
        extras.putInt(expires == Change.NEVER ? 0 : (int) (expires / 1_000_000));
        extras.putLong(session.cas());
        session.release();
        protocol.answer(Status.SUCCESS, extras.array(), NOTHING, session.cas());
    }
}

package dev.oriel.server;

import dev.oriel.kv.Bucket;
import dev.oriel.kv.BucketSession;
import dev.oriel.kv.Change;
import dev.oriel.kv.JsonEdit;
import dev.oriel.kv.JsonEdit.Operation;
import dev.oriel.kv.JsonEdit.Outcome;
import dev.oriel.kv.Status;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Reads and changes of parts of JSON values, one path or several a request.
///
/// Entries have no attributes of their own other than the value. Metadata of every entry, its expiry and number
/// for example, is read as the attribute `$document`. Attributes cannot be written.
final class SubDocuments {
    private static final byte[] NOTHING = {};

    private static final int CREATE_PARENTS = 0x01;
    private static final int ATTRIBUTE = 0x04;
    private static final int KNOWN_PATH_FLAGS = CREATE_PARENTS;

    /// Removes the whole entry, as the only one of several paths.
    private static final int REMOVE_ENTRY = 0x04;

    private static final int MAKE_DOCUMENT = 0x01;
    private static final int ADD_DOCUMENT = 0x02;
    private static final int ACCESS_DELETED = 0x04;
    private static final int PATHS_MAX = 16;

    private final Client client;
    private final BinaryProtocol protocol;

    SubDocuments(Client client, BinaryProtocol protocol) {
        this.client = client;
        this.protocol = protocol;
    }

    /// Answers the request if it is one of these.
    boolean takes(Request request) {
        int opcode = request.opcode;
        boolean one =
                (opcode >= Opcode.PATH_GET && opcode <= Opcode.PATH_COUNTER)
                        || opcode == Opcode.PATH_COUNT;
        if (!one && opcode != Opcode.MULTI_LOOKUP && opcode != Opcode.MULTI_MUTATION) {
            return false;
        }
        String key = request.key();
        if (key == null) {
            protocol.answer(Status.INVALID);
        } else if (one) {
            single(request, key);
        } else if (opcode == Opcode.MULTI_LOOKUP) {
            lookup(request, key);
        } else {
            mutate(request, key);
        }
        return true;
    }

    private static @Nullable Operation operation(int opcode) {
        return switch (opcode) {
            case 0x00, 0xc5 -> Operation.GET;
            case 0xc6 -> Operation.EXISTS;
            case 0xc7 -> Operation.INSERT;
            case 0xc8 -> Operation.UPSERT;
            case 0xc9 -> Operation.REMOVE;
            case 0x01, 0xca -> Operation.REPLACE;
            case 0xcb -> Operation.ARRAY_APPEND;
            case 0xcc -> Operation.ARRAY_PREPEND;
            case 0xcd -> Operation.ARRAY_INSERT;
            case 0xce -> Operation.ARRAY_ADD_UNIQUE;
            case 0xcf -> Operation.COUNTER;
            case 0xd2 -> Operation.COUNT;
            default -> null;
        };
    }

    /// `extras: u16 path length, u8 flags [, u32 expiry] [, u8 document flags]; value: path, value`.
    private void single(Request request, String key) {
        Operation operation = operation(request.opcode);
        int pathLength = request.extrasLength >= 3 ? request.in.shortAt(request.extrasAt) : -1;
        if (operation == null || pathLength < 0 || pathLength > request.valueLength) {
            protocol.answer(Status.INVALID);
            return;
        }
        int flags = request.extraByte(2);
        boolean attribute = (flags & ATTRIBUTE) != 0 && !operation.changes();
        if ((flags & ~(attribute ? KNOWN_PATH_FLAGS | ATTRIBUTE : KNOWN_PATH_FLAGS)) != 0) {
            protocol.answer(Status.NOT_SUPPORTED);
            return;
        }
        String path = request.in.text(request.valueAt, pathLength);
        if (operation.changes() && !client.prepareChange(key, true, request.valueLength)) {
            protocol.answer(Status.OUT_OF_MEMORY);
            return;
        }
        byte[] value =
                request.in.copy(request.valueAt + pathLength, request.valueLength - pathLength);
        JsonEdit edit = new JsonEdit(operation, path, value, (flags & CREATE_PARENTS) != 0);
        if (!operation.changes()) {
            Status status = client.read(key);
            Outcome outcome = new Outcome(status, NOTHING);
            if (status == Status.SUCCESS) {
                byte[] document = client.session().value().toBytes();
                outcome = look(document, new Part(edit, attribute), client.session());
            }
            long cas = status == Status.SUCCESS ? client.session().cas() : 0;
            client.session().release();
            client.values().answered(outcome.value().length);
            protocol.answer(outcome.status(), NOTHING, outcome.value(), cas);
            return;
        }
        long expiry = request.extrasLength >= 7 ? request.expiry(client, 3) : unsaid(request);
        Change change = new Change.Edit(Change.Mode.REPLACE, List.of(edit), expiry);
        Status status = client.change(key, request.cas, change, request.durability);
        List<Outcome> outcomes = client.session().outcomes();
        if (status == Status.MULTI_PATH_FAILURE) {
            protocol.answer(outcomes.getLast().status());
        } else if (status != Status.SUCCESS) {
            protocol.answer(status);
        } else {
            long cas = client.session().cas();
            protocol.answer(status, NOTHING, outcomes.getFirst().value(), cas);
        }
    }

    /// The expiry of a change that gives none: kept if the request says so, else never, as for any other change.
    private static long unsaid(Request request) {
        return request.keepsExpiry ? Change.KEEP : Change.NEVER;
    }

    /// `value: (u8 opcode, u8 flags, u16 path length, path)*`.
    private void lookup(Request request, String key) {
        List<Part> looks = new ArrayList<>();
        Status form = paths(request, false, looks);
        if (form != Status.SUCCESS) {
            protocol.answer(form);
            return;
        }
        BucketSession session = client.session();
        Status status = client.read(key);
        if (status != Status.SUCCESS) {
            protocol.answer(status);
            return;
        }
        byte[] document = session.value().toBytes();
        long cas = session.cas();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        boolean all = true;
        for (Part look : looks) {
            Outcome outcome = look(document, look, session);
            all &= outcome.status() == Status.SUCCESS;
            putShort(body, outcome.status().code());
            putInt(body, outcome.value().length);
            body.writeBytes(outcome.value());
        }
        session.release();
        client.values().answered(body.size());
        protocol.answer(
                all ? Status.SUCCESS : Status.MULTI_PATH_FAILURE, NOTHING, body.toByteArray(), cas);
    }

    /// One of several paths.
    ///
    /// @param attribute whether it leads into the entry's attributes
    private record Part(JsonEdit edit, boolean attribute) {}

    /// The whole document may be anything, JSON or not.
    private static Outcome look(byte[] document, Part look, BucketSession session) {
        JsonEdit edit = look.edit();
        boolean whole = edit.path().isEmpty() && edit.operation() == Operation.GET;
        if (whole && !look.attribute()) {
            return new Outcome(Status.SUCCESS, document);
        }
        byte[] text = look.attribute() ? attributes(document, session) : document;
        return Bucket.lookupIn(text, List.of(edit)).getFirst();
    }

    /// Metadata of every entry, under the names of Couchbase's server.
    private static byte[] attributes(byte[] document, BucketSession session) {
        CRC32C sum = new CRC32C();
        sum.update(document);
        long expires = session.expiresAtMicros();
        long changed = session.cas() == BucketSession.LOCKED_CAS ? 0 : session.cas() >>> 8;
        boolean json = Bucket.lookupIn(document, WHOLE).getFirst().status() == Status.SUCCESS;
        return BinaryProtocol.text(
                ("{\"$document\":{\"CAS\":\"0x%016x\",\"seqno\":\"0x%016x\",\"exptime\":%d,"
                                + "\"flags\":%d,\"value_bytes\":%d,\"value_crc32c\":\"0x%08x\","
                                + "\"datatype\":[\"%s\"],\"deleted\":false,"
                                + "\"last_modified\":\"%d\"},\"$XTOC\":[]}")
                        .formatted(
                                session.cas(),
                                session.cas(),
                                expires / 1_000_000,
                                Integer.toUnsignedLong(session.flags()),
                                document.length,
                                sum.getValue(),
                                json ? "json" : "raw",
                                changed / 1_000_000));
    }

    private static final List<JsonEdit> WHOLE = List.of(JsonEdit.of(Operation.EXISTS, ""));

    /// Whether the request asks only for the removal of the entry.
    private static boolean removesEntry(Request request) {
        return request.valueLength == 8
                && request.in.byteAt(request.valueAt) == REMOVE_ENTRY
                && request.in.shortAt(request.valueAt + 2) == 0
                && request.in.intAt(request.valueAt + 4) == 0;
    }

    /// `extras: [u32 expiry] [u8 document flags]`;
    /// `value: (u8 opcode, u8 flags, u16 path length, u32 value length, path, value)*`.
    private void mutate(Request request, String key) {
        if (removesEntry(request)) {
            Change remove = new Change.Remove();
            Status status = client.change(key, request.cas, remove, request.durability);
            long cas = status == Status.SUCCESS ? client.session().cas() : 0;
            protocol.answer(status, NOTHING, NOTHING, cas);
            return;
        }
        if (!client.prepareChange(key, true, request.valueLength)) {
            protocol.answer(Status.OUT_OF_MEMORY);
            return;
        }
        List<Part> parts = new ArrayList<>();
        Status form = paths(request, true, parts);
        if (form != Status.SUCCESS) {
            protocol.answer(form);
            return;
        }
        List<JsonEdit> edits = parts.stream().map(Part::edit).toList();
        int extras = request.extrasLength;
        boolean expires = extras == 4 || extras == 5;
        long expiry = expires ? request.expiry(client, 0) : unsaid(request);
        int flags = extras == 1 || extras == 5 ? request.extraByte(extras - 1) : 0;
        if ((flags & ~(MAKE_DOCUMENT | ADD_DOCUMENT | ACCESS_DELETED)) != 0) {
            protocol.answer(Status.NOT_SUPPORTED);
            return;
        }
        Change.Mode mode =
                (flags & ADD_DOCUMENT) != 0
                        ? Change.Mode.ADD
                        : (flags & MAKE_DOCUMENT) != 0 ? Change.Mode.SET : Change.Mode.REPLACE;
        Status status =
                client.change(
                        key, request.cas, new Change.Edit(mode, edits, expiry), request.durability);
        List<Outcome> outcomes = client.session().outcomes();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if (status == Status.MULTI_PATH_FAILURE) {
            body.write(outcomes.size() - 1);
            putShort(body, outcomes.getLast().status().code());
            protocol.answer(status, NOTHING, body.toByteArray(), 0);
            return;
        }
        if (status != Status.SUCCESS) {
            protocol.answer(status);
            return;
        }
        for (int i = 0; i < outcomes.size(); i++) {
            byte[] value = outcomes.get(i).value();
            if (value.length > 0) {
                body.write(i);
                putShort(body, Status.SUCCESS.code());
                putInt(body, value.length);
                body.writeBytes(value);
            }
        }
        protocol.answer(status, NOTHING, body.toByteArray(), client.session().cas());
    }

    /// Reads the parts of a request of several paths.
    private static Status paths(Request request, boolean withValues, List<Part> parts) {
        int at = request.valueAt;
        int end = at + request.valueLength;
        int head = withValues ? 8 : 4;
        while (at < end) {
            if (at + head > end || parts.size() == PATHS_MAX) {
                return Status.COMBINATION_INVALID;
            }
            Operation operation = operation(request.in.byteAt(at));
            int flags = request.in.byteAt(at + 1);
            int pathLength = request.in.shortAt(at + 2);
            int valueLength = withValues ? request.in.intAt(at + 4) : 0;
            at += head;
            if (valueLength < 0 || pathLength + (long) valueLength > end - at) {
                return Status.INVALID;
            }
            if (operation == null || operation.changes() != withValues) {
                return Status.COMBINATION_INVALID;
            }
            boolean attribute = (flags & ATTRIBUTE) != 0 && !withValues;
            if ((flags & ~(attribute ? KNOWN_PATH_FLAGS | ATTRIBUTE : KNOWN_PATH_FLAGS)) != 0) {
                return Status.NOT_SUPPORTED; // attributes cannot be written
            }
            String path = request.in.text(at, pathLength);
            byte[] value = request.in.copy(at + pathLength, valueLength);
            boolean parents = (flags & CREATE_PARENTS) != 0;
            parts.add(new Part(new JsonEdit(operation, path, value, parents), attribute));
            at += pathLength + valueLength;
        }
        return parts.isEmpty() ? Status.COMBINATION_INVALID : Status.SUCCESS;
    }

    private static void putShort(ByteArrayOutputStream out, int value) {
        out.write(value >> 8);
        out.write(value);
    }

    private static void putInt(ByteArrayOutputStream out, int value) {
        putShort(out, value >>> 16);
        putShort(out, value);
    }
}

package dev.oriel.server;

import dev.oriel.testkit.Gen;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/// Inputs for [FuzzTargets] that look like what clients send: in order mostly, then damaged here and there.
final class FuzzInputs {
    private static final byte[] NONE = {};
    private static final List<String> KEYS = List.of("a", "bb", "counter", "\u00fc", "YQ==", "k");
    private static final List<String> WORDS =
            List.of(
                    "noreply",
                    "0",
                    "1",
                    "5",
                    "-1",
                    "18446744073709551615",
                    "99999999999999999999",
                    "reset",
                    "settings",
                    "\0",
                    "2592001");
    private static final List<String> FLAGS =
            List.of(
                    "v", "c", "t", "k", "q", "b", "f", "h", "l", "s", "u", "I", "T0", "T30", "T-1",
                    "MA", "MI", "MD", "ME", "MR", "MP", "D5", "N0", "N30", "R30", "J7", "C1", "C0",
                    "F9", "Oxyz", "S2", "E7");
    private static final List<String> PATHS =
            List.of("a", "a.b", "a[0]", "a[-1].b", "`x``y`", "", "[0]", "$document.exptime", "n");
    private static final List<String> VALUES =
            List.of(
                    "1",
                    "-7",
                    "\"x\"",
                    "[1,2]",
                    "{\"a\":{\"b\":[1,{\"n\":2}]},\"n\":1}",
                    "null",
                    "{}",
                    "[]",
                    "1e400",
                    "\"\\u00e4\\n\"",
                    "[[[[1]]]]",
                    "{\"a\":[0],\"a\":1}",
                    "}");

    private FuzzInputs() {}

    static byte[] of(FuzzTargets.Target target, Gen gen) {
        byte[] input =
                switch (target) {
                    case TEXT -> led(gen, text(gen));
                    case BINARY -> led(gen, binary(gen, false));
                    case COUCHBASE -> led(gen, binary(gen, true));
                    case HTTP -> led(gen, http(gen));
                    case LOGIN -> login(gen);
                    case SCRAM -> scram(gen);
                    case JSON -> json(gen);
                };
        return damaged(gen, input);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// In front the byte that says how it comes: 90 of 100 have logged in.
    private static byte[] led(Gen gen, byte[] request) {
        byte[] input = new byte[request.length + 1];
        input[0] = (byte) (gen.below(128) | (gen.chance(10) ? 128 : 0));
        System.arraycopy(request, 0, input, 1, request.length);
        return input;
    }

    private static byte[] damaged(Gen gen, byte[] bytes) {
        for (int i = gen.chance(50) ? gen.below(4) : 0; i > 0 && bytes.length > 0; i--) {
            bytes[gen.below(bytes.length)] = (byte) gen.anyInt();
        }
        return gen.chance(15) ? Arrays.copyOf(bytes, gen.below(bytes.length + 1)) : bytes;
    }

    private static byte[] text(Gen gen) {
        List<String> names = List.copyOf(new java.util.TreeSet<>(TextProtocol.ACCESS.keySet()));
        StringBuilder lines = new StringBuilder();
        for (int i = 1 + gen.below(6); i > 0; i--) {
            String name = gen.pick(names);
            String value = gen.chance(40) ? Integer.toString(gen.below(50)) : gen.pick(VALUES);
            int length = bytes(value).length + (gen.chance(3) ? 1 : 0);
            lines.append(name).append(' ').append(gen.pick(KEYS));
            switch (name) {
                case "set", "add", "replace", "append", "prepend", "cas" -> {
                    lines.append(" 5 ").append(gen.chance(80) ? "0" : gen.pick(WORDS)).append(' ');
                    lines.append(length).append(name.equals("cas") ? " 1" : "");
                    lines.append(gen.chance(10) ? " noreply" : "").append("\r\n").append(value);
                }
                case "mg", "ms", "md", "ma", "me" -> {
                    lines.append(name.equals("ms") ? " " + length : "");
                    for (int f = gen.below(5); f > 0; f--) {
                        lines.append(' ').append(gen.pick(FLAGS));
                    }
                    lines.append(name.equals("ms") ? "\r\n" + value : "");
                }
                default -> {
                    for (int w = gen.below(3); w > 0; w--) {
                        lines.append(' ').append(gen.pick(gen.chance(50) ? WORDS : KEYS));
                    }
                }
            }
            lines.append("\r\n");
        }
        return bytes(lines.toString());
    }

    private static byte[] binary(Gen gen, boolean couchbase) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (couchbase && gen.chance(70)) {
            byte[] features = {0, 0x08, 0, 0x0b, 0, 0x10, 0, 0x11, 0, 0x12, 0, 0x14};
            out.writeBytes(Wire.request(Opcode.HELLO, 0, 0, NONE, "{}", features));
        }
        for (int i = 1 + gen.below(5); i > 0; i--) {
            int opcode = gen.below(256);
            while (Opcode.access(opcode) == null && gen.chance(95)) {
                opcode = gen.below(256);
            }
            byte[] request = request(gen, opcode, couchbase);
            out.writeBytes(couchbase && gen.chance(25) ? framed(gen, request) : request);
        }
        return out.toByteArray();
    }

    private static byte[] request(Gen gen, int opcode, boolean couchbase) {
        String key = (couchbase && gen.chance(70) ? "\0" : "") + gen.pick(KEYS);
        long cas = gen.chance(85) ? 0 : gen.anyLong();
        byte[] value = bytes(gen.pick(VALUES));
        byte[] extras = new byte[0];
        switch (Opcode.loud(opcode)) {
            case Opcode.SET, Opcode.ADD, Opcode.REPLACE -> extras = new byte[8];
            case Opcode.INCREMENT, Opcode.DECREMENT -> {
                extras = ByteBuffer.allocate(20).putLong(1).putLong(gen.anyLong()).array();
                value = NONE;
            }
            case Opcode.TOUCH, Opcode.GAT, Opcode.GATK, Opcode.GET_LOCKED -> {
                extras = ByteBuffer.allocate(4).putInt(gen.below(60)).array();
                value = NONE;
            }
            case Opcode.APPEND, Opcode.PREPEND -> {}
            case Opcode.SELECT_BUCKET -> {
                key = gen.chance(70) ? "default" : "shop";
                value = NONE;
            }
            case Opcode.COLLECTION_ID, Opcode.SCOPE_ID -> {
                key = "";
                value = bytes(gen.chance(70) ? "sales.orders" : "_default._default");
            }
            case Opcode.MULTI_LOOKUP, Opcode.MULTI_MUTATION -> value = paths(gen, opcode);
            default -> {
                boolean path = opcode >= Opcode.PATH_GET && opcode <= Opcode.PATH_COUNT;
                if (path) {
                    byte[] where = bytes(gen.pick(PATHS));
                    extras = new byte[] {0, (byte) where.length, (byte) (gen.chance(80) ? 0 : 5)};
                    value = joined(where, value);
                } else if (gen.chance(80)) {
                    value = NONE;
                }
            }
        }
        return Wire.request(opcode, gen.anyInt(), cas, extras, key, value);
    }

    private static byte[] paths(Gen gen, int opcode) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean changes = opcode == Opcode.MULTI_MUTATION;
        for (int i = 1 + gen.below(3); i > 0; i--) {
            byte[] path = bytes(gen.pick(PATHS));
            byte[] value = bytes(gen.pick(VALUES));
            int[] looks = {0x00, 0xc5, 0xc6, 0xd2};
            out.write(changes ? 0xc7 + gen.below(9) : looks[gen.below(4)]);
            out.write(gen.chance(70) ? 0 : changes ? 1 : 4);
            out.write(0);
            out.write(path.length);
            if (changes) {
                out.writeBytes(ByteBuffer.allocate(4).putInt(value.length).array());
            }
            out.writeBytes(path);
            out.writeBytes(changes ? value : NONE);
        }
        return out.toByteArray();
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /// The request with frames between header and extras.
    private static byte[] framed(Gen gen, byte[] request) {
        byte[][] frames = {
            {0x13, (byte) gen.below(5), 0x08, (byte) 0xca}, {0x11, 1}, {0x50}, {0x50, 0x11, 3}
        };
        byte[] frame = frames[gen.below(frames.length)];
        ByteBuffer framed = ByteBuffer.allocate(request.length + frame.length);
        framed.put(request, 0, Request.HEADER_BYTES).put(frame);
        framed.put(request, Request.HEADER_BYTES, request.length - Request.HEADER_BYTES);
        framed.put(0, (byte) 0x08).put(2, (byte) frame.length);
        framed.putInt(8, framed.getInt(8) + frame.length);
        return framed.array();
    }

    private static byte[] http(Gen gen) {
        List<String> paths =
                List.of(
                        "/health",
                        "/health/ready",
                        "/metrics",
                        "/pools",
                        "/",
                        "/pools/default/buckets/default",
                        "/pools/default/b/default?x=1",
                        "/pools/default/buckets/default/scopes",
                        "/pools/default/buckets/default/scopes/s/collections",
                        "/users");
        StringBuilder requests = new StringBuilder();
        for (int i = 1 + gen.below(3); i > 0; i--) {
            String body = gen.chance(30) ? gen.pick(List.of("name=c1", "name=c2", "name=%z")) : "";
            requests.append(gen.pick(List.of("GET", "POST", "HEAD", "DELETE", "PUT", "get")));
            requests.append(' ').append(gen.pick(paths)).append(" HTTP/1.1\r\n");
            String user = Base64.getEncoder().encodeToString(bytes(gen.chance(80) ? "u:p" : "u"));
            requests.append(gen.chance(70) ? "Authorization: Basic " + user + "\r\n" : "");
            requests.append(gen.chance(20) ? "Host: h:1\r\n" : "");
            requests.append(gen.chance(10) ? "Transfer-Encoding: chunked\r\n" : "");
            requests.append(gen.chance(10) ? "Connection: close\r\n" : "");
            requests.append("Content-Length: ").append(bytes(body).length).append("\r\n\r\n");
            requests.append(body);
        }
        return bytes(requests.toString());
    }

    private static byte[] login(Gen gen) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 1 + gen.below(3); i > 0; i--) {
            byte[] message =
                    bytes(
                            gen.pick(
                                    List.of(
                                            "\0u\0q",
                                            "z\0u\0\0",
                                            "n,,n=u,r=abc",
                                            "n,a=x,n=u,r=abc",
                                            "c=biws,r=abc,p=AAAA",
                                            "n,,n=nobody,r=",
                                            "")));
            out.write(gen.below(256));
            out.write(message.length);
            out.writeBytes(message);
        }
        return out.toByteArray();
    }

    private static byte[] scram(Gen gen) {
        String first = gen.pick(List.of("n,,n=u,r=abc", "n,,n=no=2Cbody,r=x", "n,a=u,n=u,r=abc"));
        String last = gen.pick(List.of("c=biws,r=abc,p=AAAA", "c=biws,r=,p=", "p=,p=,p="));
        return bytes(first + "\n" + last);
    }

    private static byte[] json(Gen gen) {
        String whole = gen.pick(PATHS) + "\0" + gen.pick(VALUES) + "\0" + gen.pick(VALUES);
        byte[] input = joined(new byte[1], bytes(whole));
        input[0] = (byte) gen.anyInt();
        return input;
    }
}

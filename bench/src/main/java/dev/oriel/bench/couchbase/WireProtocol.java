package dev.oriel.bench.couchbase;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// The requests to a server, and the lengths of its answers.
enum WireProtocol {
    /// memcached's text.
    TEXT {
        @Override
        byte[] get(byte[] key) {
            return joined(ascii("get "), key, ascii("\r\n"));
        }

        @Override
        byte[] set(byte[] key, byte[] value) {
            byte[] head = ascii(" 0 0 " + value.length + "\r\n");
            return joined(ascii("set "), key, head, value, ascii("\r\n"));
        }

        @Override
        int answerBytes(
                byte[] in, int at, int length, boolean isGet, int keyBytes, int valueBytes) {
            if (!isGet) {
                return expect(in, at, length, STORED);
            }
            int head = valueOffset(keyBytes, valueBytes);
            int all = head + valueBytes + "\r\nEND\r\n".length();
            if (length < all) {
                return length > 0 && in[at] != 'V' ? wrong(in, at, length) : 0;
            }
            return in[at] == 'V' && in[at + all - 1] == '\n' ? all : wrong(in, at, length);
        }

        @Override
        int valueOffset(int keyBytes, int valueBytes) {
            return "VALUE  0 \r\n".length() + keyBytes + digits(valueBytes);
        }
    },

    /// memcached's binary protocol.
    BINARY {
        @Override
        byte[] get(byte[] key) {
            return joined(header(0x00, key.length, 0, 0), key);
        }

        @Override
        byte[] set(byte[] key, byte[] value) {
            return joined(header(0x01, key.length, 8, value.length), new byte[8], key, value);
        }

        private static byte[] header(int opcode, int key, int extras, int value) {
            return ByteBuffer.allocate(HEADER_BYTES)
                    .put((byte) 0x80)
                    .put((byte) opcode)
                    .putShort((short) key)
                    .putInt(extras << 24)
                    .putInt(key + extras + value)
                    .array();
        }

        @Override
        int answerBytes(
                byte[] in, int at, int length, boolean isGet, int keyBytes, int valueBytes) {
            if (length < HEADER_BYTES) {
                return 0;
            }
            int body = ByteBuffer.wrap(in, at + 8, 4).getInt();
            boolean fine = in[at] == (byte) 0x81 && in[at + 6] == 0 && in[at + 7] == 0;
            if (!fine || body != (isGet ? 4 + valueBytes : 0)) {
                return wrong(in, at, length);
            }
            return length < HEADER_BYTES + body ? 0 : HEADER_BYTES + body;
        }

        @Override
        int valueOffset(int keyBytes, int valueBytes) {
            return HEADER_BYTES + 4;
        }
    },

    /// Redis's protocol.
    RESP {
        @Override
        byte[] get(byte[] key) {
            return joined(ascii("*2\r\n$3\r\nGET\r\n"), bulk(key));
        }

        @Override
        byte[] set(byte[] key, byte[] value) {
            return joined(ascii("*3\r\n$3\r\nSET\r\n"), bulk(key), bulk(value));
        }

        private static byte[] bulk(byte[] bytes) {
            return joined(ascii("$" + bytes.length + "\r\n"), bytes, ascii("\r\n"));
        }

        @Override
        int answerBytes(
                byte[] in, int at, int length, boolean isGet, int keyBytes, int valueBytes) {
            if (!isGet) {
                return expect(in, at, length, OK);
            }
            int all = valueOffset(keyBytes, valueBytes) + valueBytes + 2;
            if (length < all) {
                return length > 1 && (in[at] != '$' || in[at + 1] != '1')
                        ? wrong(in, at, length)
                        : 0;
            }
            return in[at] == '$' && in[at + all - 1] == '\n' ? all : wrong(in, at, length);
        }

        @Override
        int valueOffset(int keyBytes, int valueBytes) {
            return "$\r\n".length() + digits(valueBytes);
        }
    };

    private static final int HEADER_BYTES = 24;
    private static final byte[] STORED = ascii("STORED\r\n");
    private static final byte[] OK = ascii("+OK\r\n");

    abstract byte[] get(byte[] key);

    abstract byte[] set(byte[] key, byte[] value);

    /// Number of bytes of the answer that begins at `at`; 0 if it is incomplete.
    ///
    /// @throws IllegalStateException if it is not the answer to such a request
    abstract int answerBytes(
            byte[] in, int at, int length, boolean isGet, int keyBytes, int valueBytes);

    /// Offset of the value in the answer to a get.
    abstract int valueOffset(int keyBytes, int valueBytes);

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] joined(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }

    /// Number of digits of a length in an answer.
    private static int digits(int length) {
        int digits = 1;
        for (int rest = length / 10; rest > 0; rest /= 10) {
            digits++;
        }
        return digits;
    }

    private static int expect(byte[] in, int at, int length, byte[] answer) {
        if (length < answer.length) {
            return length > 0 && in[at] != answer[0] ? wrong(in, at, length) : 0;
        }
        for (int i = 0; i < answer.length; i++) {
            if (in[at + i] != answer[i]) {
                return wrong(in, at, length);
            }
        }
        return answer.length;
    }

    private static int wrong(byte[] in, int at, int length) {
        String begin = new String(in, at, Math.min(length, 60), StandardCharsets.ISO_8859_1);
        throw new IllegalStateException("The server answered: " + begin.strip());
    }
}

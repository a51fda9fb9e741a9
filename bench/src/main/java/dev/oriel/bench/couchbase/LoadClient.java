package dev.oriel.bench.couchbase;

import dev.oriel.bench.measure.Latencies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A client that is the same for all servers: one thread, some connections, and on each a batch of requests under
/// way at once. Nine of ten are gets of a key at random, the tenth is a set of it, unless all are sets. Every byte of
/// every value is read.
final class LoadClient implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 << 10;

    private final WireProtocol protocol;
    private final int depth;
    private final KeyValueData data;
    private final int valueBytes;
    private final byte[][] gets;
    private final byte[][] sets;
    private final int[] sums;
    private final SplittableRandom random;
    private final Selector selector;
    private final List<Line> lines = new ArrayList<>();
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);

    private long answers;
    private long deadline;
    private int busy;
    private Latencies latencies = new Latencies();
    private boolean setsAll;
    private boolean setsAlone;
    private int next;

    /// A connection and its pending requests.
    private final class Line {
        final SocketChannel channel;
        final int[] asked = new int[depth];
        byte[] bytes = new byte[8 << 10];
        int held;
        int done;
        int count;
        long sent;

        Line(SocketChannel channel) {
            this.channel = channel;
        }
    }

    LoadClient(
            WireProtocol protocol,
            int port,
            int connections,
            int depth,
            KeyValueData data,
            long seed)
            throws IOException {
        this.protocol = protocol;
        this.depth = depth;
        this.data = data;
        this.valueBytes = data.valueBytes();
        this.random = new SplittableRandom(seed);
        this.gets = new byte[KeyValueData.KEYS][];
        this.sets = new byte[KeyValueData.KEYS][];
        this.sums = new int[KeyValueData.KEYS];
        for (int i = 0; i < KeyValueData.KEYS; i++) {
            gets[i] = protocol.get(data.keys()[i]);
            sets[i] = protocol.set(data.keys()[i], data.values()[i]);
            sums[i] = KeyValueData.sum(data.values()[i], 0, valueBytes);
        }
        this.selector = Selector.open();
        for (int i = 0; i < connections; i++) {
            SocketChannel channel =
                    SocketChannel.open(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            Line line = new Line(channel);
            channel.register(selector, SelectionKey.OP_READ, line);
            lines.add(line);
        }
    }

    /// Sets every key once.
    void fill() throws IOException {
        setsAll = true;
        next = 0;
        deadline = Long.MAX_VALUE;
        go();
        setsAll = false;
    }

    /// Makes all requests of [#run] sets of a random key.
    void setsAlone() {
        setsAlone = true;
    }

    /// Works for about `nanos` and returns the number of requests answered.
    ///
    /// @param into receives the duration of each batch of requests, from its sending to the last answer
    long run(long nanos, Latencies into) throws IOException {
        answers = 0;
        latencies = into;
        deadline = System.nanoTime() + nanos;
        go();
        return answers;
    }

    private void go() throws IOException {
        for (Line line : lines) {
            busy++;
            send(line);
        }
        while (busy > 0) {
            IOException[] failed = {null};
            selector.select(key -> {
                try {
                    receive((Line) key.attachment());
                } catch (IOException e) {
                    failed[0] = e;
                }
            });
            if (failed[0] != null) {
                throw failed[0];
            }
        }
    }

    private void send(Line line) throws IOException {
        long now = System.nanoTime();
        boolean over = setsAll ? next >= KeyValueData.KEYS : now >= deadline;
        if (over) {
            busy--;
            return;
        }
        out.clear();
        int count = setsAll ? Math.min(depth, KeyValueData.KEYS - next) : depth;
        for (int i = 0; i < count; i++) {
            int key = setsAll ? next++ : random.nextInt(KeyValueData.KEYS);
            boolean set = setsAll || setsAlone || random.nextInt(10) == 0;
            line.asked[i] = set ? ~key : key;
            out.put(set ? sets[key] : gets[key]);
        }
        line.count = count;
        line.done = 0;
        line.sent = now;
        out.flip();
        while (out.hasRemaining()) {
            line.channel.write(out); // a batch fits into the socket's buffer
        }
    }

    private void receive(Line line) throws IOException {
        in.clear();
        if (line.channel.read(in) < 0) {
            throw new IOException("The server has closed the connection");
        }
        in.flip();
        int count = in.remaining();
        if (line.held + count > line.bytes.length) {
            line.bytes = java.util.Arrays.copyOf(line.bytes, 2 * (line.held + count));
        }
        in.get(line.bytes, line.held, count);
        line.held += count;
        int at = 0;
        while (line.done < line.count) {
            int length = answer(line, at);
            if (length == 0) {
                break;
            }
            at += length;
            line.done++;
        }
        System.arraycopy(line.bytes, at, line.bytes, 0, line.held - at);
        line.held -= at;
        if (line.done == line.count) {
            answers += line.count;
            latencies.add(System.nanoTime() - line.sent);
            send(line);
        }
    }

    /// Parses one answer, and returns its length; 0 if it is incomplete.
    private int answer(Line line, int at) {
        int asked = line.asked[line.done];
        boolean isGet = asked >= 0;
        int keyBytes = data.keys()[isGet ? asked : ~asked].length;
        int length =
                protocol.answerBytes(line.bytes, at, line.held - at, isGet, keyBytes, valueBytes);
        if (length > 0 && isGet) {
            int from = at + protocol.valueOffset(keyBytes, valueBytes);
            if (KeyValueData.sum(line.bytes, from, valueBytes) != sums[asked]) {
                throw new IllegalStateException("A value is not what was stored");
            }
        }
        return length;
    }

    /// Checksum of all values, by which results are compared: each get checks its own.
    long checksum() {
        long sum = 0;
        for (int one : sums) {
            sum += one;
        }
        return sum;
    }

    @Override
    public void close() throws IOException {
        for (Line line : lines) {
            line.channel.close();
        }
        selector.close();
    }
}

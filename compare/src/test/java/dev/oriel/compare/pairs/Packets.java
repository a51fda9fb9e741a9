package dev.oriel.compare.pairs;

/// Encodes messages. Changed: each gets a buffer of its own instead of the same.
public final class Packets {
    private static final byte[] BUFFER = new byte[4_096];
    private static byte[] last = BUFFER;
    private static boolean changed;

    private Packets() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, Packets::deliver);
    }

    static long deliver(long seed) {
        long sum = 0;
        for (int i = 0; i < 10; i++) {
            byte[] packet = encode(body(seed + i));
            sum += sum(packet);
        }
        return sum;
    }

    private static String body(long seed) {
        return "message "
                + seed
                + " to all who read it, and a little more, so that it is not too short";
    }

    private static byte[] encode(String body) {
        byte[] buffer = changed ? new byte[4_096] : BUFFER;
        for (int i = 0; i < body.length(); i++) {
            buffer[i] = (byte) body.charAt(i);
        }
        buffer[body.length()] = 0;
        last = buffer;
        return buffer;
    }

    private static long sum(byte[] packet) {
        long sum = last.length;
        for (int round = 0; round < 40; round++) {
            for (int i = 0; packet[i] != 0; i++) {
                sum = 31 * sum + packet[i];
            }
        }
        return sum;
    }
}

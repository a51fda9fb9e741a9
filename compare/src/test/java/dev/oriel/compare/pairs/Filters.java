package dev.oriel.compare.pairs;

import java.util.function.UnaryOperator;

/// Sends packets through a chain of twelve filters, each of which calls the next. Changed: the filter for checksums
/// works bit by bit instead of nibble by nibble.
public final class Filters {
    private static final int[] TABLE = new int[16];
    private static boolean changed;

    private Filters() {}

    private interface Filter {
        int pass(byte[] packet);
    }

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        for (int i = 0; i < TABLE.length; i++) {
            TABLE[i] = bits(i, 4);
        }
        Filter chain = packet -> packet.length;
        for (int i = 0; i < 11; i++) {
            chain = i == 5 ? after(chain, Filters::checksum) : after(chain, Filters::mask);
        }
        Filter all = chain;
        byte[] packet = new byte[200];
        Work.run(words, seed -> send(all, packet, (byte) seed));
    }

    private static long send(Filter chain, byte[] packet, byte seed) {
        packet[0] = seed;
        return chain.pass(packet);
    }

    private static Filter after(Filter next, UnaryOperator<byte[]> filter) {
        return packet -> next.pass(filter.apply(packet)) + 1;
    }

    private static byte[] checksum(byte[] packet) {
        int sum = 0;
        for (byte each : packet) {
            sum ^= each & 0xff;
            if (changed) {
                sum = bits(sum, 8);
            } else {
                sum = TABLE[sum & 15] ^ sum >>> 4;
                sum = TABLE[sum & 15] ^ sum >>> 4;
            }
        }
        packet[1] = (byte) sum;
        return packet;
    }

    private static int bits(int value, int count) {
        int sum = value;
        for (int i = 0; i < count; i++) {
            sum = (sum & 1) == 0 ? sum >>> 1 : sum >>> 1 ^ 0xedb88320;
        }
        return sum;
    }

    private static byte[] mask(byte[] packet) {
        int key = 17;
        for (int i = 2; i < packet.length; i++) {
            key = key * 31 + packet[i];
            packet[i] ^= (byte) (key >>> 3);
        }
        return packet;
    }
}

package com.example.status;

/// Decodes the statuses of responses. Nearly all say that it went well or that there is no such key.
public final class Responses {
    private static final int[] CODES = {0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x01, 0x00, 0x86, 0x00};

    private Responses() {}

    /// The argument is the number of responses, in thousands.
    public static void main(String[] words) {
        int thousands = words.length == 0 ? 8_000 : Integer.parseInt(words[0]);
        long sum = 0;
        for (int i = 0; i < thousands; i++) {
            sum += decode(i);
        }
        System.out.println("@oriel check " + sum);
    }

    /// A thousand responses.
    static long decode(int seed) {
        long sum = 0;
        for (int i = 0; i < 1_000; i++) {
            sum += Status.of(CODES[(seed + i) % CODES.length]).code();
        }
        return sum;
    }
}

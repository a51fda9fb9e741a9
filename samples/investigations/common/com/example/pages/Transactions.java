package com.example.pages;

import java.util.Arrays;

/// Transactions that write pages, mostly new ones, read some, and forget versions that nobody sees.
public final class Transactions {
    private static final int WRITES = 20;
    private static final int READS = 40;
    private static final int FORGET_EVERY = 10;
    private static final int PAGE_BYTES = 2_048;

    private Transactions() {}

    /// The argument is the number of transactions.
    public static void main(String[] words) {
        int transactions = words.length == 0 ? 5_000 : Integer.parseInt(words[0]);
        PageTable table = new PageTable();
        long sum = 0;
        for (int transaction = 1; transaction <= transactions; transaction++) {
            sum += run(table, transaction);
        }
        System.out.println("@oriel check " + sum);
    }

    static long run(PageTable table, long transaction) {
        long sum = 0;
        for (int i = 0; i < WRITES; i++) {
            byte[] page = new byte[PAGE_BYTES];
            Arrays.fill(page, (byte) transaction);
            sum += page[i];
            table.set(transaction, transaction * WRITES + i, transaction * 1_000 + i);
        }
        for (int i = 0; i < READS; i++) {
            sum += table.position(transaction, transaction * WRITES - i);
        }
        if (transaction % FORGET_EVERY == 0) {
            table.forget(transaction - FORGET_EVERY);
        }
        return sum;
    }
}

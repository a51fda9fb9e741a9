package dev.oriel.sql.rows;

import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.store.LimitException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Finds rows of a [RowFile] by the hashes of their keys. The index consists of sorted runs of entries in a file;
/// an entry has a part of the hash and, below it, the position of a row. Memory holds the fences: the hash at the
/// beginning of each block of a run. So one block read shows whether a run has a key.
///
/// ```
/// entry   27 bits of the hash | 36 bits: position / 8
/// ```
/// A run that is not much longer than the next one is merged with it, so there are few runs. Merged runs are
/// adjacent, so rows with one hash are found in the order of their positions.
public final class HashIndex {
    private static final int BLOCK = 256;
    private static final int PLACE_BITS = 36;
    private static final long PLACE_MAX = (1L << PLACE_BITS) - 1;

    /// Maximum ratio of a run's length to the next run's for merging the two.
    private static final int RATIO = 4;

    private final Cancellation cancellation;
    private final QueryMemory.Share share;
    private final SpillFile file;
    private final SpillReader reader;
    private final List<Run> runs = new ArrayList<>();
    private final byte[] one = new byte[Long.BYTES];
    private long fenceBytes;

    /// Hash part being sought; followed by the current run and the position in it.
    private long wanted;

    private int run;
    private long at;
    private long end;

    public HashIndex(Cancellation cancellation, QueryMemory.Share share) {
        this.cancellation = cancellation;
        this.share = share;
        this.file = share.memory().file();
        this.reader = new SpillReader(file, 1, BLOCK * Long.BYTES);
    }

    /// A sorted run of entries.
    ///
    /// @param fences hash part of the first entry of each block
    @SuppressWarnings("ArrayRecordComponent") // never changed
    private record Run(long start, long count, int[] fences) {}

    /// The entry of the row at `position`, whose key has the hash `hash`.
    public static long entry(int hash, long position) {
        long place = position >>> 3;
        if (place > PLACE_MAX) {
            throw new LimitException(
                    "The statement has put aside more rows than can be found again; ask for less",
                    "bytes=" + position);
        }
        return part(hash) << PLACE_BITS | place;
    }

    private static long part(int hash) {
        int mixed = (hash ^ hash >>> 16) * 0x9E3779B9;
        mixed = (mixed ^ mixed >>> 15) * 0x85EBCA6B;
        mixed = (mixed ^ mixed >>> 13) >>> 5;
        return mixed;
    }

    /// Adds the first `count` of `entries`, which it sorts.
    public void add(long[] entries, int count) {
        Arrays.sort(entries, 0, count);
        Writer writer = new Writer(count);
        for (int i = 0; i < count; i++) {
            writer.add(entries[i]);
        }
        runs.add(writer.run());
        while (runs.size() > 1 && beforeLast().count <= RATIO * runs.getLast().count) {
            mergeLast();
        }
    }

    private Run beforeLast() {
        return runs.get(runs.size() - 2);
    }

    /// Merges all runs into one.
    public void mergeAll() {
        while (runs.size() > 1) {
            mergeLast();
        }
        file.finish();
    }

    private void mergeLast() {
        Run a = beforeLast();
        Run b = runs.getLast();
        int window = share.memory().windowBytes(2);
        SpillReader readA = new SpillReader(file, 1, window);
        SpillReader readB = new SpillReader(file, 1, window);
        Writer writer = new Writer(a.count + b.count);
        long i = 0;
        long j = 0;
        while (i < a.count || j < b.count) {
            long nextA = i < a.count ? get(readA, a, i) : Long.MAX_VALUE;
            long nextB = j < b.count ? get(readB, b, j) : Long.MAX_VALUE;
            writer.add(Math.min(nextA, nextB));
            if (nextA < nextB) {
                i++;
            } else {
                j++;
            }
        }
        readA.close();
        readB.close();
        runs.removeLast();
        runs.removeLast();
        long less = 4L * (a.fences.length + b.fences.length);
        fenceBytes -= less;
        share.take(less);
        runs.add(writer.run());
    }

    private static long get(SpillReader from, Run run, long i) {
        int at = from.require(run.start + i * Long.BYTES, Long.BYTES);
        return (long) RowCodec.LONG.get(from.bytes(), at);
    }

    /// Writes a run with a given number of entries.
    private final class Writer {
        private final long start = file.bytes();
        private final long count;
        private final int[] fences;
        private long added;

        private Writer(long count) {
            this.count = count;
            this.fences = new int[Math.toIntExact((count + BLOCK - 1) / BLOCK)];
        }

        private void add(long entry) {
            if (added % BLOCK == 0) {
                cancellation.poll();
                fences[(int) (added / BLOCK)] = (int) (entry >>> PLACE_BITS);
            }
            added++;
            RowCodec.LONG.set(one, 0, entry);
            file.append(one, Long.BYTES);
            share.wrote(Long.BYTES);
        }

        private Run run() {
            fenceBytes += 4L * fences.length;
            share.add(4L * fences.length, 0);
            return new Run(start, count, fences);
        }
    }

    /// Starts a search for rows whose keys have the hash `hash`; hashes with equal parts match too.
    public void seek(int hash) {
        wanted = part(hash);
        run = -1;
        at = 0;
        end = 0;
    }

    /// The position of the next match; -1 at the end.
    public long next() {
        while (true) {
            if (at < end) {
                long entry = entryAt(runs.get(run), at++);
                if (entry >>> PLACE_BITS == wanted) {
                    return (entry & PLACE_MAX) << 3;
                }
                end = 0;
            } else if (++run >= runs.size()) {
                run = runs.size();
                return -1;
            } else {
                start(runs.get(run));
            }
        }
    }

    /// Goes to the first entry of `in` that is not below the hash being sought.
    private void start(Run in) {
        int low = 0;
        int high = in.fences.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (in.fences[middle] < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        long from = Math.max(0, low - 1) * (long) BLOCK;
        long to = Math.min(in.count, low * (long) BLOCK);
        while (from < to) {
            long middle = (from + to) >>> 1;
            if (entryAt(in, middle) >>> PLACE_BITS < wanted) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        at = from;
        end = in.count;
    }

    private long entryAt(Run of, long i) {
        long base = i - i % BLOCK;
        int length = (int) Math.min(BLOCK, of.count - base) * Long.BYTES;
        int from = reader.require(of.start + base * Long.BYTES, length);
        return (long) RowCodec.LONG.get(reader.bytes(), from + (int) (i - base) * Long.BYTES);
    }

    public void delete() {
        reader.close();
        file.delete();
        share.take(fenceBytes);
        fenceBytes = 0;
    }
}

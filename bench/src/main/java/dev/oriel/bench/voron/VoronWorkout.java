package dev.oriel.bench.voron;

import com.sun.management.ThreadMXBean;
import dev.oriel.bench.measure.Meter;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;

/// The article's workout: transactions set pages, look pages up, and occasionally remove versions written to the data
/// file. The same for every map: the chosen pages depend on the seed alone.
///
/// A map may keep a version longer than it must, while readers look at it or because the removal of its successor
/// frees it. So a version that every map may have removed counts as missing: then all maps have equal checksums.
final class VoronWorkout {
    private static final ThreadMXBean THREADS =
            ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    private final VoronShape shape;
    private final Pages pages;

    VoronWorkout(VoronShape shape, long seed) {
        this.shape = shape;
        this.pages = new Pages(shape, new SplittableRandom(seed));
    }

    /// The result of a workout.
    ///
    /// @param reading of all transactions, whole process
    /// @param checksum of the writer's lookups
    /// @param readerLookups by all readers
    record Outcome(Meter.Reading reading, long checksum, long readerLookups) {
        /// The sum of both workouts, whose checksums must be equal.
        Outcome and(Outcome other) {
            if (other.checksum != checksum) {
                throw new IllegalStateException("Two workouts on one map found different things");
            }
            Meter.Reading more = other.reading;
            return new Outcome(
                    new Meter.Reading(
                            reading.operations() + more.operations(),
                            reading.nanos() + more.nanos(),
                            reading.cpuNanos() + more.cpuNanos(),
                            reading.bytes() + more.bytes()),
                    checksum,
                    readerLookups + other.readerLookups);
        }
    }

    /// The parts of a workout, added up over all transactions.
    static final class Parts {
        long setNanos;
        long lookupNanos;
        long removeNanos;

        /// Bytes allocated by the writer in setting and removing.
        long changeBytes;

        /// Number of keys in the map at each removal, summed.
        long visited;

        long checksum;
    }

    /// The pages of all transactions and lookups, chosen beforehand.
    static final class Pages {
        private static final int RING = 1 << 16;
        private final int perTransaction;
        private final int[] written;
        private final int[] looked = new int[RING];

        /// Divides the range into equal parts, as many as a transaction has pages. A transaction takes one page of
        /// each part, so that it takes none twice, in random order.
        Pages(VoronShape shape, SplittableRandom random) {
            perTransaction = shape.pages();
            written = new int[Math.multiplyExact(shape.transactions(), perTransaction)];
            int part = shape.range() / perTransaction;
            for (int from = 0; from < written.length; from += perTransaction) {
                for (int i = 0; i < perTransaction; i++) {
                    int other = random.nextInt(i + 1);
                    written[from + i] = written[from + other];
                    written[from + other] = i * part + random.nextInt(part);
                }
            }
            for (int i = 0; i < RING; i++) {
                looked[i] = random.nextInt(part * perTransaction);
            }
        }

        /// The page whose version is at `position`.
        long at(long position) {
            return written[(int) position];
        }

        /// The first position of transaction `txid`.
        long firstPosition(long txid) {
            return (txid - 1) * perTransaction;
        }

        /// The page that lookup `index` is for.
        long lookup(int index) {
            return looked[index & RING - 1];
        }
    }

    /// Runs the first `transactions` on an empty map.
    Outcome run(VersionMap map, int transactions) {
        try (VoronReaders readers = new VoronReaders(map, pages, shape.readers())) {
            Writer writer = new Writer(map, readers);
            Meter meter = Meter.start();
            for (int txid = 1; txid <= transactions; txid++) {
                writer.transaction(txid);
            }
            Meter.Reading reading = meter.stop(transactions);
            return new Outcome(reading, writer.checksum, readers.stop());
        }
    }

    /// The same, measured in parts.
    Parts runInParts(VersionMap map, int transactions) {
        try (VoronReaders readers = new VoronReaders(map, pages, shape.readers())) {
            Writer writer = new Writer(map, readers);
            for (int txid = 1; txid <= transactions; txid++) {
                writer.transactionInParts(txid);
            }
            readers.stop();
            writer.parts.checksum = writer.checksum;
            return writer.parts;
        }
    }

    /// The thread that sets and removes.
    private final class Writer {
        private final VersionMap map;
        private final VoronReaders readers;
        private final long[] items = new long[shape.pages()];
        private final long[] positions = new long[shape.pages()];
        private final Parts parts = new Parts();
        private int nextLookup;
        private long removable;
        private long checksum;

        Writer(VersionMap map, VoronReaders readers) {
            this.map = map;
            this.readers = readers;
        }

        void transaction(int txid) {
            choose(txid);
            set(txid);
            checksum += lookups(txid);
            if (removes(txid)) {
                remove(txid);
            }
        }

        /// The same, measured in parts.
        void transactionInParts(int txid) {
            choose(txid);
            long bytes = THREADS.getCurrentThreadAllocatedBytes();
            long begun = System.nanoTime();
            set(txid);
            long set = System.nanoTime();
            parts.setNanos += set - begun;
            parts.changeBytes += THREADS.getCurrentThreadAllocatedBytes() - bytes;
            long looking = System.nanoTime();
            checksum += lookups(txid);
            parts.lookupNanos += System.nanoTime() - looking;
            if (removes(txid)) {
                parts.visited += map.keys();
                bytes = THREADS.getCurrentThreadAllocatedBytes();
                begun = System.nanoTime();
                remove(txid);
                parts.removeNanos += System.nanoTime() - begun;
                parts.changeBytes += THREADS.getCurrentThreadAllocatedBytes() - bytes;
            }
        }

        private void choose(int txid) {
            long first = pages.firstPosition(txid);
            for (int i = 0; i < items.length; i++) {
                items[i] = pages.at(first + i);
                positions[i] = first + i;
            }
        }

        private void set(int txid) {
            map.setItems(txid, items, positions);
            readers.publish(txid);
        }

        private boolean removes(int txid) {
            return txid % shape.cadence() == 0 && txid > shape.lag();
        }

        private void remove(int txid) {
            removable = (long) txid - shape.lag();
            map.removeBefore(Math.min(removable, readers.oldest(txid)));
        }

        private long lookups(long txid) {
            long oldest = pages.firstPosition(removable + 1);
            long sum = 0;
            int end = nextLookup + shape.lookups();
            VersionMap.Snapshot snapshot = map.snapshot(txid);
            for (int i = nextLookup; i < end; i++) {
                long position = snapshot.get(pages.lookup(i));
                sum += (i | 1L) * (position >= oldest ? position : VersionMap.MISSING);
            }
            nextLookup = end;
            return sum;
        }
    }
}

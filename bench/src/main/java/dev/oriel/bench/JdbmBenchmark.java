package dev.oriel.bench;

import dev.oriel.io.DiskDirectory;
import dev.oriel.store.Durability;
import dev.oriel.store.Slice;
import dev.oriel.store.Store;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// The workload of the article on jdbm: records of 150 bytes under ids of 8 bytes, a commit every
/// 500, no sync. An operation is a record; an invocation inserts 300,000 of them into a new store
/// on disk and closes it, the last checkpoint included.
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 6)
@Measurement(iterations = 8)
@Fork(2)
public class JdbmBenchmark {
    private static final int RECORDS = 300_000;
    private static final int COMMIT_EVERY = 500;
    private static final int RECORD_BYTES = 150;
    private static final ValueLayout.OfLong KEY =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /// Ids in order, or scattered over all 64 bits.
    @Param({"inOrder", "atRandom"})
    public String order;

    private final Folder folder = new Folder();
    private final MemorySegment memory = Arena.ofAuto().allocate(8 + RECORD_BYTES);
    private Store store;
    private Tree tree;

    /// Opens a new store.
    @Setup(Level.Invocation)
    public void open() throws IOException {
        StoreOptions options = StoreOptions.defaults().withDurability(Durability.WRITTEN);
        store = Store.open(DiskDirectory.open(folder.make()), options);
        try (Transaction transaction = store.beginWrite()) {
            tree = transaction.createTree("records");
            transaction.commit();
        }
        for (int i = 0; i < RECORD_BYTES; i++) {
            memory.set(ValueLayout.JAVA_BYTE, 8 + i, (byte) (i * 31));
        }
    }

    /// Deletes it.
    @TearDown(Level.Invocation)
    public void delete() throws IOException {
        folder.delete();
    }

    /// Inserts and closes.
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public void insert() {
        Slice key = new Slice().set(memory, 0, 8);
        Slice value = new Slice().set(memory, 8, RECORD_BYTES);
        long scatter = order.equals("inOrder") ? 1 : 0x9E3779B97F4A7C15L;
        for (int i = 0; i < RECORDS; i += COMMIT_EVERY) {
            try (Transaction transaction = store.beginWrite()) {
                for (int j = i; j < i + COMMIT_EVERY; j++) {
                    memory.set(KEY, 0, j * scatter);
                    transaction.insert(tree, key, value);
                }
                transaction.commit();
            }
        }
        store.close();
    }
}

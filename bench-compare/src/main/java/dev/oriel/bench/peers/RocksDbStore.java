package dev.oriel.bench.peers;

import dev.oriel.bench.jdbm.RecordStore;
import java.nio.file.Path;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/// Records in RocksDB. Keys are ids in big-endian order with their sign bit flipped.
///
/// A commit writes its batch to the log. Observed system calls: one `write`, followed by an `fdatasync` in class
/// SYNC. Waiting commits are written as one.
final class RocksDbStore implements RecordStore {
    private static final int FILL_BYTES = 1 << 20;
    private static final int FILLS = 72;

    final RocksDB db;
    final RocksDbOptions options;
    final Path folder;

    RocksDbStore(Path folder, RocksDbOptions options) {
        this.folder = folder;
        this.options = options;
        try {
            db = RocksDB.open(options.options, folder.toString());
            if (options.recycled && options.sync && db.getLatestSequenceNumber() == 0) {
                fillLogs();
            }
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Fills a memtable, since log files are recycled only after that. Any long-running store has done so, but a
    /// short run would never see a recycled log.
    private void fillLogs() throws RocksDBException {
        byte[] key = new byte[1];
        byte[] value = new byte[FILL_BYTES];
        try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
            for (int file = 0; file < 2; file++) {
                for (int i = 0; i < FILLS / 2; i++) {
                    db.put(key, value);
                }
                db.flush(wait);
            }
            db.delete(key);
            db.flush(wait);
            db.compactRange();
        }
    }

    @Override
    public Session session() {
        return new RocksDbSession(this);
    }

    @Override
    public void close() {
        try {
            if (options.log) {
                db.flushWal(true);
            } else {
                try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
                    db.flush(wait);
                }
            }
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
        db.close();
        options.close();
    }
}

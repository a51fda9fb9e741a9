package dev.oriel.bench.voron;

import dev.oriel.store.version.FramePool;
import dev.oriel.store.version.PageTable;

/// The store's own [PageTable] behind the interface of the benchmark.
///
/// It follows the store's order: a commit adds its versions and publishes the table's arrays to readers. A removal
/// takes the steps of a checkpoint once pages are written (send readers to the file) and then the next writer's
/// (reclaim). A position is the number of a frame. Frames that come free are taken out of [FramePool] again, as
/// the next transaction would; no frame is ever allotted, so there is no native memory.
final class TableVersions implements VersionMap {
    private static final int BOTTOM = -1;

    private final FramePool scratch = new FramePool();
    private final PageTable table = new PageTable(scratch);
    private volatile PageTable.View view = table.view();
    private long newest;

    /// Snapshots that may still be in use, the newest commit last.
    private long[] snapshots = new long[2];

    /// An empty table.
    TableVersions() {
        scratch.free(BOTTOM);
    }

    @Override
    public void setItems(long txid, long[] pages, long[] positions) {
        synchronized (table) {
            for (int i = 0; i < pages.length; i++) {
                table.add(pages[i], txid, (int) positions[i]);
            }
            view = table.view();
        }
        newest = txid;
    }

    @Override
    public void removeBefore(long txid) {
        int from = 0;
        while (from != PageTable.NONE) {
            synchronized (table) {
                from = table.written(txid, Long.MAX_VALUE, newest + 1, from);
            }
        }
        synchronized (table) {
            int open = open(Math.min(txid, newest));
            table.reclaim(snapshots, open);
        }
        while (scratch.allocate() != BOTTOM) {
            // taken, as by the next transaction
        }
        scratch.free(BOTTOM);
    }

    /// Fills `snapshots` with all snapshots from `oldest` on, since each may be in use; returns their number.
    private int open(long oldest) {
        int count = Math.toIntExact(newest - oldest) + 1;
        if (count > snapshots.length) {
            snapshots = new long[count * 2];
        }
        for (int i = 0; i < count; i++) {
            snapshots[i] = oldest + i;
        }
        return count;
    }

    @Override
    public long get(long page, long snapshot) {
        return view.find(page, snapshot); // NONE is MISSING
    }

    @Override
    public Snapshot snapshot(long snapshot) {
        PageTable.View seen = view;
        return page -> seen.find(page, snapshot);
    }

    @Override
    public long keys() {
        return table.livePages();
    }

    /// Native bytes allocated: 0, since no frame is ever allotted.
    public long nativeBytes() {
        return scratch.bytes();
    }
}

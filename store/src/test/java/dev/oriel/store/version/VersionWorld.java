package dev.oriel.store.version;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The real page table and registry of readers, under a writer, a checkpoint and two readers that take one step
/// at a time. A step is an atomic part of the code: one access to shared state, or a whole block under the
/// table's monitor.
///
/// There are two pages. The content of a page is a number, a new one for each change.
final class VersionWorld implements Interleavings.World {
    /// Variant of the world: as built, or with one rule broken.
    enum Rule {
        AS_BUILT,
        /// Versions are freed when the newest snapshot does not see them.
        FREE_BY_THE_NEWEST_ALONE,
        /// The checkpoint writes pages in place without regard to readers of the old ones.
        WRITE_WITHOUT_LOOKING,
        /// A reader does not check the published state again once it has its slot.
        LOOK_ONCE,
        /// Frames of versions in the file are freed although the newest readers may use them.
        TAG_TOO_EARLY,
        /// The checkpoint does not hold its snapshot.
        NO_HOLD
    }

    /// A transaction of the writer: bits of pages, and whether it commits.
    record Change(int pages, boolean commits) {}

    private record Published(long snapshot, PageTable.View view) {}

    private static final int PAGES = 2;
    private static final int FRAMES = 16;
    private static final int WRITER = 0;
    private static final int CHECKPOINT = 1;
    private static final int FIRST_READER = 2;
    private static final int DONE = 100;

    private final Rule rule;
    private final Change[] changes;
    private final FramePool framePool = new FramePool();
    private final PageTable table = new PageTable(framePool);
    private final Readers readers = new Readers();
    private Published published;

    private final int[] file = new int[PAGES];
    private final int[] frames = new int[FRAMES];
    private int contents = 1;

    /// Expected content of each page, by snapshot.
    private final int[][] expected = new int[8][];

    private final Writer writer = new Writer();
    private final Checkpointer checkpointer = new Checkpointer();
    private final Reader[] all;

    /// Creates a world in which commit 1 has changed page 0, and has not reached the file.
    VersionWorld(Rule rule, Change[] changes, int... pagesOfReaders) {
        this.rule = rule;
        this.changes = changes;
        for (int frame = FRAMES - 1; frame >= 0; frame--) {
            framePool.free(frame);
        }
        int frame = framePool.allocate();
        frames[frame] = 1;
        table.add(0, 1, frame);
        expected[1] = new int[] {1, 0};
        published = new Published(1, table.view());
        all = new Reader[pagesOfReaders.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Reader(pagesOfReaders[i]);
        }
    }

    @Override
    public int actors() {
        return FIRST_READER + all.length;
    }

    @Override
    public boolean canStep(int actor) {
        return switch (actor) {
            case WRITER -> writer.change < changes.length;
            case CHECKPOINT -> checkpointer.next < DONE;
            default -> all[actor - FIRST_READER].next < DONE;
        };
    }

    @Override
    public String step(int actor) {
        return switch (actor) {
            case WRITER -> writer.step();
            case CHECKPOINT -> checkpointer.step();
            default -> all[actor - FIRST_READER].step();
        };
    }

    private static void check(int expected, int found, String what) {
        if (expected != found) {
            throw new AssertionError(what + " found " + found + ", not " + expected);
        }
    }

    private int mustHold(long snapshot, int page) {
        int[] pages = expected[(int) snapshot];
        if (pages == null) {
            throw new AssertionError("there is no commit " + snapshot);
        }
        return pages[page];
    }

    /// Steps of [Store#beginWrite], [PageWriter#touch], and the publishing or rollback.
    private final class Writer {
        private int change;
        private int next;
        private long txid;

        String step() {
            Change current = changes[change];
            return switch (next++) {
                case 0 -> begin();
                case 1 -> change(current);
                default -> end(current);
            };
        }

        private String begin() {
            reclaim();
            txid = published.snapshot + 1;
            return "writer begins " + txid;
        }

        private String change(Change current) {
            for (int page = 0; page < PAGES; page++) {
                if ((current.pages & (1 << page)) != 0) {
                    touch(page);
                }
            }
            return "writer changes pages " + current.pages;
        }

        private String end(Change current) {
            change++;
            next = 0;
            return current.commits ? commit(current) : rollBack(current);
        }

        private void reclaim() {
            long newest = published.snapshot;
            if (rule == Rule.FREE_BY_THE_NEWEST_ALONE) {
                table.reclaim(new long[] {newest}, 1);
            } else {
                long[] snapshots = readers.snapshots(newest);
                table.reclaim(snapshots, readers.snapshotCount());
            }
        }

        private void touch(int page) {
            int head = table.head(page);
            int found = head == PageTable.NONE ? file[page] : frames[table.frame(head)];
            check(mustHold(txid - 1, page), found, "the writer, copying page " + page);
            int frame = framePool.allocate();
            frames[frame] = ++contents;
            table.add(page, txid, frame);
        }

        private String commit(Change current) {
            int[] pages = expected[(int) txid - 1].clone();
            for (int page = 0; page < PAGES; page++) {
                if ((current.pages & (1 << page)) != 0) {
                    pages[page] = frames[table.frame(table.head(page))];
                }
            }
            expected[(int) txid] = pages;
            published = new Published(txid, table.view());
            return "writer publishes " + txid + " as " + Arrays.toString(pages);
        }

        private String rollBack(Change current) {
            for (int page = 0; page < PAGES; page++) {
                if ((current.pages & (1 << page)) != 0) {
                    table.removeNewest(page);
                }
            }
            table.endRollback(txid);
            published = new Published(published.snapshot, table.view());
            return "writer rolls back";
        }
    }

    /// Steps of [Checkpoint], from the hold to the moment when readers are sent to the file.
    private final class Checkpointer {
        private int next;
        private long[] pages = {};
        private long[] txids = {};
        private int[] held = {};
        private long snapshot;
        private long newest;
        private long oldest;

        String step() {
            switch (next++) {
                case 0 -> hold();
                case 1 -> newest = published.snapshot;
                case 2 ->
                        oldest =
                                rule == Rule.WRITE_WITHOUT_LOOKING
                                        ? newest
                                        : readers.oldest(newest);
                case 3 -> write(0);
                case 4 -> write(1);
                case 5 -> sendToFile();
                default -> {
                    readers.hold(Readers.FREE);
                    end();
                }
            }
            return "checkpoint, step " + next + ", oldest " + oldest;
        }

        /// Clears irrelevant state, so that states become equal.
        private void end() {
            next = DONE;
            pages = new long[0];
            txids = new long[0];
            held = new int[0];
            snapshot = 0;
            newest = 0;
            oldest = 0;
        }

        private void hold() {
            Published state = published;
            snapshot = state.snapshot;
            if (rule != Rule.NO_HOLD) {
                readers.hold(state.snapshot);
            }
            PageSet found = new PageSet();
            state.view.collect(state.snapshot, found);
            pages = Arrays.copyOf(found.pages, found.count);
            txids = Arrays.copyOf(found.txids, found.count);
            held = Arrays.copyOf(found.frames, found.count);
        }

        private void write(int index) {
            if (index < pages.length && txids[index] <= oldest) {
                int page = (int) pages[index];
                int found = frames[held[index]];
                check(mustHold(snapshot, page), found, "the checkpoint, writing page " + page);
                file[page] = found;
            }
        }

        private void sendToFile() {
            long tag = published.snapshot + (rule == Rule.TAG_TOO_EARLY ? 0 : 1);
            table.written(oldest, PAGES, tag, 0);
        }
    }

    /// Steps of [ReadTransaction#begin], of finding and reading a page, and of the end.
    private final class Reader {
        private static final int SET = 10;

        private final int page;
        private int next;
        private int slot;
        private int frame;
        private @Nullable Published state;

        Reader(int page) {
            this.page = page;
        }

        String step() {
            Published taken = state == null ? published : state;
            switch (next++) {
                case 0 -> state = published;
                case 1 -> slot = readers.claim(0, taken.snapshot);
                case 2 -> lookAgain(taken);
                case SET -> {
                    readers.set(slot, taken.snapshot);
                    next = 2;
                }
                case 3 -> frame = taken.view.find(page, taken.snapshot);
                case 4 -> {
                    int found = frame == PageTable.NONE ? file[page] : frames[frame];
                    int expectedHere = mustHold(taken.snapshot, page);
                    check(expectedHere, found, "a reader of " + taken.snapshot + ", page " + page);
                }
                default -> {
                    readers.release(slot);
                    state = null;
                    slot = 0;
                    frame = 0;
                    next = DONE;
                }
            }
            return "reader of page " + page + " at " + taken.snapshot + ", step " + next;
        }

        @SuppressWarnings("ReferenceEquality") // the very state that is published, as in the code
        private void lookAgain(Published taken) {
            if (published != taken && rule != Rule.LOOK_ONCE) {
                state = published;
                next = SET;
            }
        }
    }
}

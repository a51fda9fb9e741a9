package dev.oriel.store.checkpoint;

import dev.oriel.io.Directory;
import dev.oriel.io.StorageFile;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.LimitException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.data.FileHeader;
import dev.oriel.store.data.FreeMap;
import dev.oriel.store.data.Pages;
import dev.oriel.store.delta.DeltaLayer;
import dev.oriel.store.delta.DeltaLayers;
import dev.oriel.store.log.Log;
import dev.oriel.store.log.LogFiles;
import dev.oriel.store.log.LogRecord;
import dev.oriel.store.log.LogSegment;
import dev.oriel.store.page.CorruptPages;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageChecksum;
import dev.oriel.store.page.PageStructure;
import dev.oriel.store.version.Eviction;
import dev.oriel.store.version.FramePool;
import dev.oriel.store.version.PageSet;
import dev.oriel.store.version.PageTable;
import dev.oriel.store.version.State;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Replays the log from the header's checkpoint on into scratch memory. It restores the committed state, with the
/// newest versions of pages in the page table, and leaves the files untouched.
///
/// If the crash interrupted a checkpoint, its pages are in memory by then, from the shadow file. Any other page
/// that the log changes is whole in the data file, or damaged, as its checksum shows when it is read. Or it is
/// new since the header, and then the log holds all of it.
///
/// The log ends at the first incomplete record: its commit was never acknowledged as durable. But each record
/// says how far the log was synced when it was written. If a complete one further on says "beyond this point",
/// acknowledged commits are missing, and the store refuses to open.
public final class Recovery implements AutoCloseable {
    /// Multiple at which records of version 2 of the format begin.
    private static final long OLD_ALIGNMENT = 4_096;

    private final Directory directory;
    private final StoreOptions options;
    private final FileHeader header;
    private final DataFile data;
    private final PageTable table;
    private final FramePool framePool;
    private final List<LogSegment> segments = new ArrayList<>();
    private final List<LogSegment> blank = new ArrayList<>();
    private final Arena arena = Arena.ofConfined();
    private MemorySegment record = arena.allocate(1 << 16, 8);
    private final CorruptPages corruptPages;
    private final Eviction eviction;
    private boolean handedOver;

    /// LSN up to which the log has been read.
    private long lsn;

    /// LSN of the end of the last commit.
    private long committedLsn;

    private long txid;
    private long pageCount;

    private final DeltaLayers deltas = new DeltaLayers();

    /// Parts read so far of a commit whose last part is still to come.
    private final List<Part> parts = new ArrayList<>(0);

    /// Position of one part of a commit.
    private record Part(LogSegment segment, long position) {}

    public Recovery(
            Directory directory,
            StoreOptions options,
            FileHeader header,
            DataFile data,
            PageTable table,
            FramePool framePool,
            CorruptPages corruptPages,
            Eviction eviction) {
        this.eviction = eviction;
        this.corruptPages = corruptPages;
        this.directory = directory;
        this.options = options;
        this.header = header;
        this.data = data;
        this.table = table;
        this.framePool = framePool;
        this.lsn = header.lsn();
        this.committedLsn = lsn;
        this.txid = header.txid();
        this.pageCount = header.pageCount();
    }

    /// Opens the log files `names` and keeps those of this database.
    public void readSegments(List<String> names) throws IOException {
        for (String name : names) {
            StorageFile file =
                    options.readOnly() ? directory.openReadOnly(name) : directory.open(name);
            boolean kept = false;
            try {
                LogSegment segment = LogSegment.open(name, file, header.database());
                if (segment != null) {
                    segments.add(segment);
                } else {
                    blank.add(LogSegment.blank(name, file));
                }
                kept = true;
            } finally {
                if (!kept) {
                    file.close();
                }
            }
        }
        segments.sort((one, other) -> Long.compare(one.life, other.life));
    }

    /// Replays all complete records and returns the resulting state.
    public State replay() throws IOException {
        boolean found = false;
        for (int i = 0; i < segments.size(); i++) {
            skipPadding(segments.get(i));
            if (holds(i, lsn)) {
                found = true;
                replaySegment(segments.get(i), end(i));
            }
        }
        lsn = committedLsn; // parts without the last one are no commit
        if (!found && !header.clean()) {
            throw new CorruptionException(
                    "The log that belongs to the data file is missing; restore both from a backup",
                    "path=" + directory + " lsn=" + lsn);
        }
        if (logCounts()) {
            refuseHole();
        }
        noteDamage();
        return new State(
                txid,
                lsn,
                pageCount,
                countFree(),
                0,
                table.view(),
                framePool.chunks(),
                deltas.deltas());
    }

    /// Validates the pages changed by the shadow and the log, as the data file validates its pages.
    private void noteDamage() {
        PageSet changed = new PageSet();
        table.view().collect(txid, changed);
        for (int i = 0; i < changed.count; i++) {
            long page = changed.pages[i];
            int frame = table.frame(table.head(page));
            MemorySegment memory = FramePool.chunk(framePool.chunks(), frame);
            String wrong = wrong(memory, FramePool.offset(frame), page);
            if (!wrong.isEmpty() && !corruptPages.contains(page)) {
                int own = eviction.inMemory(page);
                MemorySegment chunk = FramePool.chunk(framePool.chunks(), own);
                corruptPages.add(page, wrong, chunk.asSlice(FramePool.offset(own), Page.BYTES));
            }
        }
    }

    private static String wrong(MemorySegment memory, long at, long page) {
        long number = Page.number(memory, at);
        return number == page
                ? PageStructure.wrong(memory, at)
                : "by the log or the shadow it is page " + number;
    }

    /// Whether the log holds changes that the data file lacks. A clean header says no, unless its successor is
    /// damaged: then there are records.
    public boolean logCounts() {
        return !header.clean() || lsn > header.lsn();
    }

    /// Returns the LSN at which the next life of the log begins, the upper bound of segment `i`.
    private long end(int i) {
        return i + 1 < segments.size() ? segments.get(i + 1).firstLsn : Long.MAX_VALUE;
    }

    /// Goes on at the beginning of `segment` if only padding lies before it. In version 2 of the format each record
    /// begins at a multiple of 4,096, and lives of the log have no numbers of headers.
    private void skipPadding(LogSegment segment) {
        long next = (lsn + OLD_ALIGNMENT - 1) & -OLD_ALIGNMENT;
        if (segment.life < LogFiles.firstLife(1) && segment.firstLsn == next) {
            lsn = next;
        }
    }

    /// Whether the record at `lsn` belongs to segment `i`.
    private boolean holds(int i, long lsn) {
        LogSegment segment = segments.get(i);
        return lsn >= segment.firstLsn
                && lsn < end(i)
                && lsn <= segment.lsnAt(segment.capacity)
                && mayFollow(segment);
    }

    /// Whether records of `segment` may follow the header. Records after a clean header are in a segment begun
    /// after it. An older segment may have records of abandoned commits from a crash, one perhaps just at the end
    /// of the log. Life numbers tell the segments apart, except in those of earlier builds.
    private boolean mayFollow(LogSegment segment) {
        return !header.clean()
                || segment.life < LogFiles.firstLife(1)
                || segment.life >= LogFiles.firstLife(header.sequence());
    }

    private void replaySegment(LogSegment segment, long end) throws IOException {
        while (lsn < end) {
            long position = segment.positionOf(lsn);
            int length = readRecord(segment, position, lsn);
            if (length == 0) { // a sync may have ended here; the log goes on in the next sector
                position = LogRecord.nextSector(position);
                length = segment.lsnAt(position) < end ? readNext(segment, position) : 0;
            }
            if (length == 0) {
                return;
            }
            boolean whole = apply(segment, position);
            segment.position = position + LogRecord.align(length);
            lsn = segment.lsnAt(segment.position);
            committedLsn = whole ? lsn : committedLsn;
        }
    }

    /// Like [#readRecord], for a record at the sector at `position` that begins the next commit or continues it; 0 if
    /// there is none. A later record may follow one that was cut off.
    private int readNext(LogSegment segment, long position) throws IOException {
        int length = readRecord(segment, position, segment.lsnAt(position));
        if (length == 0) {
            return 0;
        }
        int number = record.get(Page.INT, LogRecord.AT_PART) & ~LogRecord.FOLLOWED;
        boolean next =
                record.get(Page.LONG, LogRecord.AT_TXID) == txid + 1
                        && (number <= 1 || number == parts.size() + 1);
        return next ? length : 0;
    }

    /// Applies the record just read, and the parts before it; false if further parts follow.
    private boolean apply(LogSegment segment, long position) throws IOException {
        long next = record.get(Page.LONG, LogRecord.AT_TXID);
        int part = record.get(Page.INT, LogRecord.AT_PART);
        int number = part & ~LogRecord.FOLLOWED;
        if (number <= 1) {
            parts.clear(); // of an abandoned commit
        }
        if (next != txid + 1 || (number > 0 && number != parts.size() + 1)) {
            throw new CorruptionException(
                    "The log skips a commit",
                    "file=%s lsn=%d commit=%d part=%d expected=%d"
                            .formatted(
                                    segment.name, segment.lsnAt(position), next, number, txid + 1));
        }
        if (part < 0) {
            parts.add(new Part(segment, position));
            return false;
        }
        txid = next;
        pageCount = record.get(Page.LONG, LogRecord.AT_PAGE_COUNT);
        if (pageCount <= Page.FIRST_SPACE || !PageStructure.isNumber(pageCount)) {
            throw new CorruptionException(
                    "The log has a commit of an impossible number of pages; restore a backup",
                    "file=%s lsn=%d pageCount=%d"
                            .formatted(segment.name, segment.lsnAt(position), pageCount));
        }
        if (!parts.isEmpty()) {
            applyParts();
            readAgain(new Part(segment, position));
        }
        applyRecord();
        return true;
    }

    private void applyParts() throws IOException {
        for (Part part : parts) {
            readAgain(part);
            LogRecord.replay(record, new Replayer());
        }
        parts.clear();
    }

    /// Applies the last record of a commit to pages or deltas, which turn and are absorbed as they were then.
    private void applyRecord() throws IOException {
        if (LogRecord.hasTurned(record) && !deltas.hasOlder()) {
            deltas.turn();
        }
        if (LogRecord.hasEntries(record)) {
            DeltaLayer layer = deltas.begin(txid, committedLsn, new long[] {txid - 1}, 1);
            try {
                LogRecord.replayEntries(record, layer::add);
                deltas.commit(deltas.uncommitted());
            } catch (OutOfMemoryError scarce) {
                throw new LimitException(
                        "The log has more gathered entries than the JVM has memory for; open the"
                                + " database with more, as by -Xmx",
                        "bytes=" + deltas.deltas().bytes(),
                        scarce);
            }
        } else {
            LogRecord.replay(record, new Replayer());
        }
        if (LogRecord.hasAbsorbed(record)) {
            deltas.dropOlder();
        }
    }

    /// The entries of commits that are not in pages yet.
    public DeltaLayers deltas() {
        return deltas;
    }

    private void readAgain(Part part) throws IOException {
        long position = part.position();
        int length = readRecord(part.segment(), position, part.segment().lsnAt(position));
        if (length == 0) {
            throw new CorruptionException(
                    "The log changes while it is read; close whatever writes to its files",
                    "file=" + part.segment().name);
        }
    }

    /// Reads the record at `position` and returns its length; 0 if there is no complete one written at `lsn`.
    private int readRecord(LogSegment segment, long position, long lsn) throws IOException {
        int length = segment.read(position, lsn, record);
        if (length < 0) {
            record = arena.allocate(Math.max(-length, 2 * record.byteSize()), 8);
            length = segment.read(position, lsn, record);
        }
        return length;
    }

    /// Scans everything after the end for a record proving that the log ends too early.
    private void refuseHole() throws IOException {
        for (LogSegment segment : segments) {
            if (!segment.isReserved()) {
                refuseHole(segment, true);
            }
        }
        for (LogSegment segment : blank) {
            refuseHole(segment, false);
        }
    }

    /// Refuses to open if a complete record of the segment was written after the end was synced. If the file's
    /// header is damaged (not `known`), each record itself gives its salt and LSN.
    private void refuseHole(LogSegment segment, boolean known) throws IOException {
        long position = LogSegment.HEADER_BYTES;
        while (position + LogRecord.HEADER_BYTES <= segment.capacity) {
            long at = segment.lsnAt(position);
            if (!known) {
                segment.file.read(position, record.asSlice(0, LogRecord.HEADER_BYTES));
                segment.salt = record.get(Page.LONG, LogRecord.AT_SALT);
                at = record.get(Page.LONG, LogRecord.AT_LSN);
            }
            int length = at <= lsn ? 0 : readRecord(segment, position, at);
            if (length > 0 && record.get(Page.LONG, LogRecord.AT_DURABLE) > lsn) {
                throw new CorruptionException(
                        "The log is damaged before its end, so acknowledged commits are missing;"
                                + " restore a backup",
                        "file=%s lsn=%d durable=%d"
                                .formatted(
                                        segment.name,
                                        lsn,
                                        record.get(Page.LONG, LogRecord.AT_DURABLE)));
            }
            position =
                    length > 0
                            ? position + LogRecord.align(length)
                            : LogRecord.nextSector(position + 1);
        }
    }

    private long countFree() {
        State seen = new State(txid, lsn, pageCount, 0, 0, table.view(), framePool.chunks());
        Pages pages = new Pages(data, seen);
        return corruptPages.isEmpty() ? FreeMap.count(pages, pageCount) : 0; // no writes follow
    }

    /// Gives the files to the log for reuse: the durable checkpoint `now` covers them. If it does not, because
    /// entries are above the pages or the disk is full, the needed segments are made durable. A file that begins
    /// beyond the end is wiped, so that no later recovery takes it for a continuation. No file is appended to: complete
    /// records may follow one that was cut off. Files without a header are deleted: their creation may have failed, and
    /// their zeros with it.
    public void handOver(Log log, FileHeader now) throws IOException {
        boolean covered = now.lsn() == lsn && now.clean();
        log.beginBehind(now.sequence());
        segments.forEach(segment -> log.noteName(segment.name));
        blank.forEach(segment -> log.noteName(segment.name));
        for (int i = 0; i < segments.size(); i++) {
            LogSegment segment = segments.get(i);
            boolean beyond = segment.firstLsn > lsn;
            boolean before = i + 1 < segments.size() && end(i) <= header.lsn();
            boolean needed = !beyond && !before && !covered;
            if (needed) {
                adoptNeeded(log, segment, Math.min(end(i), lsn));
                continue;
            }
            if (beyond && !segment.isReserved()) {
                segment.retire();
                segment.file.sync();
            }
            log.adopt(segment, false);
        }
        for (LogSegment segment : blank) {
            segment.file.close();
            directory.delete(segment.name);
        }
        if (!segments.isEmpty() || !blank.isEmpty()) {
            directory.sync(); // a file may have no durable name yet if its creation was cut off
        }
        handedOver = true;
    }

    /// Gives the log the records of `segment` before `end` in a file of its own, and the segment for reuse. A sync of
    /// the segment alone is not enough: after a failed one, the system shows bytes that are not on the disk as written.
    /// Only if the disk has no room for the copy, the segment is written anew in its place, which a crash may damage.
    private void adoptNeeded(Log log, LogSegment segment, long end) throws IOException {
        long from = segment.positionOf(Math.max(header.lsn(), segment.firstLsn));
        long to = segment.positionOf(end);
        LogSegment copy = log.copyOf(segment, from, to, record);
        if (copy == null) {
            rewrite(segment, 0, LogSegment.HEADER_BYTES);
            rewrite(segment, from, to);
            segment.file.sync();
            segment.position = segment.capacity;
            log.adopt(segment, true);
        } else {
            segment.retire();
            segment.file.sync();
            log.adopt(copy, true);
            log.adopt(segment, false);
        }
    }

    private void rewrite(LogSegment segment, long from, long to) throws IOException {
        for (long at = from; at < to; at += record.byteSize()) {
            MemorySegment part = record.asSlice(0, Math.min(to - at, record.byteSize()));
            segment.file.read(at, part);
            segment.file.write(at, part);
        }
    }

    @Override
    public void close() throws IOException {
        arena.close();
        if (!handedOver) {
            for (LogSegment segment : segments) {
                segment.file.close();
            }
            for (LogSegment segment : blank) {
                segment.file.close();
            }
        }
    }

    /// Applies a record's pages to versions in scratch memory.
    private final class Replayer implements LogRecord.PageTarget {
        private MemorySegment segment = MemorySegment.NULL;
        private long at;

        /// Whether the page is damaged, so that its changes are skipped.
        private boolean skipped;

        @Override
        public void page(long page, boolean fresh) {
            int entry = table.head(page);
            boolean known = entry != PageTable.NONE;
            int frame = known ? eviction.inMemory(page) : framePool.allocate();
            segment = FramePool.chunk(framePool.chunks(), frame);
            at = FramePool.offset(frame);
            skipped = !fresh && corruptPages.contains(page);
            if (fresh) {
                corruptPages.remove(page);
                segment.asSlice(at, Page.BYTES).fill((byte) 0);
            } else if (!known) {
                readFromFile(page);
            }
            if (known) {
                table.renumber(page, txid);
            } else {
                eviction.add(page);
                table.add(page, txid, frame);
            }
        }

        private void readFromFile(long page) {
            try {
                MemorySegment base = segment.asSlice(at, Page.BYTES);
                data.read(page, base);
                String wrong = PageChecksum.wrong(base, page);
                if (!wrong.isEmpty()) {
                    corruptPages.add(page, wrong, base);
                    skipped = true;
                }
            } catch (IOException e) {
                throw new CorruptionException(
                        "The log changes a page that the data file does not have",
                        "page=" + page,
                        e);
            }
        }

        @Override
        public void range(int offset, MemorySegment from, long fromAt, int bytes) {
            if (!skipped) {
                MemorySegment.copy(from, fromAt, segment, at + offset, bytes);
            }
        }
    }
}

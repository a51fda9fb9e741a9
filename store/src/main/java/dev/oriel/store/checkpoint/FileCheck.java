package dev.oriel.store.checkpoint;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.UsageException;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.data.DoubleWriteBuffer;
import dev.oriel.store.data.FileHeader;
import dev.oriel.store.data.FreeMap;
import dev.oriel.store.data.PageWriter;
import dev.oriel.store.log.Log;
import dev.oriel.store.log.LogRecord;
import dev.oriel.store.log.LogSegment;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageChecksum;
import dev.oriel.store.version.PageSet;
import dev.oriel.store.version.State;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Reads the parts of the files that an opening would need if the process died now, and that `Check` does not see
/// because newer versions are in memory. These are the newest file header, the shadow's pages, the places of pages
/// that the log changes, and the log itself.
///
/// A damaged copy in the shadow does not matter if the page's place holds the same. A place does not matter if the
/// shadow has the page, or if the page was free when the header was written.
///
/// Works under the lock of the checkpoint, so none of this is overwritten; commits continue.
final class FileCheck {
    private static final int SENTENCES_MAX = 20;

    private final DataFile data;
    private final DoubleWriteBuffer doubleWrite;
    private final Log log;
    private final State state;
    private final List<String> wrong = new ArrayList<>();
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment page = arena.allocate(Page.BYTES, 8);
    private final MemorySegment map = arena.allocate(Page.BYTES, 8);
    private long mapOfSpan = -1;
    private boolean mapIsWhole;
    private FileHeader header = FileHeader.first(new UUID(0, 0), 0);

    /// Checks the files against `state`, the state in memory.
    FileCheck(DataFile data, DoubleWriteBuffer doubleWrite, Log log, State state) {
        this.data = data;
        this.doubleWrite = doubleWrite;
        this.log = log;
        this.state = state;
    }

    /// Compares the newest header in the file with `written`; no other is written meanwhile.
    void header(FileHeader written) {
        header = written;
        try {
            data.read(written.page(), page);
            if (!written.equals(FileHeader.decode(page, written.page()))) {
                say("The file header on page %d is damaged.".formatted(written.page()));
            }
        } catch (IOException e) {
            say("The file header on page %d cannot be read.".formatted(written.page()));
        } catch (UsageException | CorruptionException e) {
            say("The file header on page %d is another.".formatted(written.page()));
        }
    }

    /// Runs the check; may be called once.
    List<String> run() {
        try {
            checkShadow();
            checkPlaces();
            checkLog();
        } catch (CorruptionException e) {
            say(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            say("A file ends too early, or cannot be read: " + e.getMessage());
        } finally {
            arena.close();
        }
        return wrong;
    }

    private void say(String sentence) {
        if (wrong.size() < SENTENCES_MAX) {
            wrong.add(sentence);
        }
    }

    private void checkShadow() throws IOException {
        doubleWrite.checkDirectory(header);
        for (int i = 0; i < header.shadowPages(); i++) {
            if (!doubleWrite.readNamed(i, page, data)) {
                say(
                        "The copy of page %d in the shadow file is damaged."
                                .formatted(doubleWrite.namedPage(i)));
            }
        }
    }

    /// Checks pages with a version in memory; the others were read from their places.
    private void checkPlaces() throws IOException {
        PageSet changed = new PageSet();
        state.versions().collect(state.txid(), changed);
        for (int i = 0; i < changed.count; i++) {
            long number = changed.pages[i];
            boolean named = header.shadowPages() > 0 && doubleWrite.find(number) >= 0;
            if (number >= header.pageCount() || named || !wasInUse(number)) {
                continue;
            }
            data.read(number, page);
            String how = PageChecksum.wrong(page, number);
            if (!how.isEmpty()) {
                say(
                        "The place of page %d, which the log changes, is damaged: %s."
                                .formatted(number, how));
            }
        }
    }

    /// Whether the page was in use when the header was written. Damage of the map is reported once, and its pages
    /// are not checked.
    private boolean wasInUse(long number) throws IOException {
        long span = number / PageWriter.SPAN;
        if (span != mapOfSpan) {
            mapOfSpan = span;
            mapIsWhole = readMap(FreeMap.page(span));
        }
        long bit = number - span * PageWriter.SPAN;
        byte bits = map.get(Page.BYTE, Page.HEADER_BYTES + bit / 8);
        return mapIsWhole && (bits & 1 << bit % 8) != 0;
    }

    private boolean readMap(long number) throws IOException {
        int named = header.shadowPages() > 0 ? doubleWrite.find(number) : -1;
        if (named >= 0) {
            return doubleWrite.readNamed(named, map, data); // its damage was reported above
        }
        data.read(number, map);
        String how = PageChecksum.wrong(map, number);
        if (!how.isEmpty()) {
            say("The place of page %d of the free map is damaged: %s.".formatted(number, how));
        }
        return how.isEmpty();
    }

    /// Checks all records after the header, up to the last one written.
    private void checkLog() throws IOException {
        long lsn = header.lsn();
        MemorySegment record = arena.allocate(4L * LogRecord.SECTOR_BYTES, 8);
        for (Log.Written file : log.written()) {
            LogSegment segment = file.segment();
            while (lsn >= segment.firstLsn && lsn < file.endLsn()) {
                long position = segment.positionOf(lsn);
                int length = segment.read(position, lsn, record);
                if (length == 0) { // it may go on in the next sector
                    position = LogRecord.nextSector(position);
                    length = segment.read(position, segment.lsnAt(position), record);
                }
                if (length < 0) {
                    record = arena.allocate(-length, 8);
                    continue;
                }
                if (length == 0) {
                    say(
                            "The log file %s is damaged at LSN %d, before its end at %d."
                                    .formatted(segment.name, lsn, file.endLsn()));
                    return;
                }
                lsn = segment.lsnAt(position + LogRecord.align(length));
            }
        }
    }
}

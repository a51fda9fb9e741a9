package dev.oriel.store.data;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.UsageException;
import dev.oriel.store.file.Fence;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageChecksum;
import dev.oriel.store.page.PageStructure;
import dev.oriel.store.version.State;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The content of a header page (docs/file-format.md): the two of them are written alternately, the
/// one with the higher sequence number counts.
///
/// @param sequence grows by one with each header written
/// @param database chosen at random when the database was created; its log files carry it too
/// @param txid the data file and the shadow hold the effects of all commits up to this one, and perhaps of later ones
/// @param lsn end of that commit's log record: recovery begins to read there
/// @param pageCount pages ever used, as of that commit
/// @param clean whether the log holds nothing that counts
/// @param shadowPages number of pages in the shadow file, whose places in the data file may hold an older or torn
///     version; 0 if the shadow file does not count
/// @param directory first slot of their directory in the shadow file
/// @param owner random token of the opening that wrote it ([Fence]); 0 after a clean close
public record FileHeader(
        long sequence,
        UUID database,
        long txid,
        long lsn,
        long pageCount,
        boolean clean,
        int shadowPages,
        int directory,
        long owner) {
    /// The bytes `ORIEL db`, read as a little-endian number.
    static final long MAGIC = 0x6264204C4549524FL;

    public static final int VERSION = 3;

    /// Oldest readable version. In its log each record begins in a sector of its own, which is as good.
    private static final int OLDEST_VERSION = 2;

    private static final int AT_MAGIC = 16;
    private static final int AT_VERSION = 24;
    private static final int AT_PAGE_BYTES = 28;
    private static final int AT_SEQUENCE = 32;
    private static final int AT_DATABASE = 40;
    private static final int AT_TXID = 56;
    private static final int AT_LSN = 64;
    private static final int AT_PAGE_COUNT = 72;
    private static final int AT_FLAGS = 80;
    private static final int AT_SHADOW_PAGES = 84;
    private static final int AT_DIRECTORY = 88;
    static final byte KIND = 5;

    private static final int UNUSED = 92;

    /// Bytes of the header in use; the rest is reserved for later releases, and zeros until then.
    public static final int BYTES = 192;

    private static final int FLAG_CLEAN = 1;

    /// Bound of sequence numbers: the numbers of log lives are derived from them.
    private static final long SEQUENCE_MAX = 1L << 42;

    private static final long LSN_MAX = 1L << 62;

    /// The flags that this release knows.
    private static final int FLAGS = FLAG_CLEAN;

    /// The header page to write for this header: the even sequences to page 0, the odd to page 1.
    public long page() {
        return sequence & 1;
    }

    /// The first header of a database that is empty.
    public static FileHeader first(UUID database, long pageCount) {
        return new FileHeader(0, database, 0, 0, pageCount, true, 0, 0, 0);
    }

    /// The next header, changed only in whether the log counts.
    public FileHeader again(boolean nextClean) {
        return new FileHeader(
                sequence + 1,
                database,
                txid,
                lsn,
                pageCount,
                nextClean,
                shadowPages,
                directory,
                owner);
    }

    /// This header with another owner; 0 for none.
    public FileHeader ownedBy(long other) {
        return new FileHeader(
                sequence, database, txid, lsn, pageCount, clean, shadowPages, directory, other);
    }

    /// The next header, for data file and shadow that hold `state`, without pages in the shadow.
    public FileHeader covering(State state, boolean nextClean) {
        return new FileHeader(
                sequence + 1,
                database,
                state.absorbedTxid(),
                state.absorbedLsn(),
                state.pageCount(),
                nextClean,
                0,
                0,
                owner);
    }

    /// This header, with `nextShadowPages` pages in the shadow file.
    FileHeader naming(int nextShadowPages, int nextDirectory) {
        return new FileHeader(
                sequence,
                database,
                txid,
                lsn,
                pageCount,
                clean,
                nextShadowPages,
                nextDirectory,
                owner);
    }

    /// Fills one page, all but its checksum.
    public void encode(MemorySegment page) {
        Page.format(page, 0, KIND, page());
        page.set(Page.LONG, AT_MAGIC, MAGIC);
        page.set(Page.INT, AT_VERSION, VERSION);
        page.set(Page.INT, AT_PAGE_BYTES, Page.BYTES);
        page.set(Page.LONG, AT_SEQUENCE, sequence);
        page.set(Page.LONG, AT_DATABASE, database.getMostSignificantBits());
        page.set(Page.LONG, AT_DATABASE + 8, database.getLeastSignificantBits());
        page.set(Page.LONG, AT_TXID, txid);
        page.set(Page.LONG, AT_LSN, lsn);
        page.set(Page.LONG, AT_PAGE_COUNT, pageCount);
        page.set(Page.INT, AT_FLAGS, clean ? FLAG_CLEAN : 0);
        page.set(Page.INT, AT_SHADOW_PAGES, shadowPages);
        page.set(Page.INT, AT_DIRECTORY, directory);
        page.set(Page.LONG, Fence.AT_OWNER, owner);
    }

    /// The header in `page` (a copy of page `number`), or null if there is no whole one.
    ///
    /// @throws UsageException if it has a format or a feature unknown to this version
    public static @Nullable FileHeader decode(MemorySegment page, long number) {
        int pageBytes = page.get(Page.INT, AT_PAGE_BYTES);
        if (isOurs(page) && pageBytes != Page.BYTES && Page.isSize(pageBytes)) {
            throw new UsageException(
                    "The database has another page size than this JVM; start it with"
                            + " -D"
                            + Page.SIZE
                            + "="
                            + pageBytes,
                    "pageBytes=" + pageBytes + " here=" + Page.BYTES);
        }
        if (!isOurs(page) || !PageChecksum.wrong(page, number).isEmpty()) {
            return null;
        }
        int version = page.get(Page.INT, AT_VERSION);
        if (version < OLDEST_VERSION || version > VERSION) {
            throw new UsageException(
                    "The database was written in a format that this version of Oriel does not read",
                    "format=%d readable=%d to %d".formatted(version, OLDEST_VERSION, VERSION));
        }
        refuseUnknown(page);
        FileHeader header =
                new FileHeader(
                        page.get(Page.LONG, AT_SEQUENCE),
                        new UUID(
                                page.get(Page.LONG, AT_DATABASE),
                                page.get(Page.LONG, AT_DATABASE + 8)),
                        page.get(Page.LONG, AT_TXID),
                        page.get(Page.LONG, AT_LSN),
                        page.get(Page.LONG, AT_PAGE_COUNT),
                        (page.get(Page.INT, AT_FLAGS) & FLAG_CLEAN) != 0,
                        page.get(Page.INT, AT_SHADOW_PAGES),
                        page.get(Page.INT, AT_DIRECTORY),
                        page.get(Page.LONG, Fence.AT_OWNER));
        header.refuseImpossible(number);
        return header;
    }

    /// Refuses impossible values. The checksum is right, so this is no torn header: the older one must not take its
    /// place.
    private void refuseImpossible(long number) {
        boolean counted = sequence >= 0 && sequence < SEQUENCE_MAX && page() == number;
        boolean placed = txid >= 0 && lsn >= 0 && lsn < LSN_MAX && txid < LSN_MAX;
        boolean sized = pageCount > Page.FIRST_SPACE && PageStructure.isNumber(pageCount);
        boolean shadowed = shadowPages >= 0 && directory >= 0;
        if (!counted || !placed || !sized || !shadowed) {
            throw new CorruptionException(
                    "A header of the data file has impossible values; restore it from a backup",
                    "page=%d %s".formatted(number, this));
        }
    }

    /// If a later release stores an unknown feature (encrypted pages, say), this one must not read the pages as its
    /// own, nor write a header without it.
    private static void refuseUnknown(MemorySegment page) {
        int unknown = page.get(Page.INT, AT_FLAGS) & ~FLAGS;
        int at = UNUSED;
        while (at < Page.BYTES && (isOwner(at) || page.get(Page.BYTE, at) == 0)) {
            at++;
        }
        if (unknown != 0 || at < Page.BYTES) {
            throw new UsageException(
                    "The database uses a feature that this version of Oriel does not know; open it with a"
                            + " newer one",
                    unknown != 0 ? "flags=%08x".formatted(unknown) : "headerByte=" + at);
        }
    }

    private static boolean isOwner(int at) {
        return at >= Fence.AT_OWNER && at < BYTES;
    }

    /// Whether the page begins as a header of an Oriel database does.
    public static boolean isOurs(MemorySegment page) {
        return page.get(Page.LONG, AT_MAGIC) == MAGIC;
    }
}

package dev.oriel.store.version;

import java.lang.foreign.MemorySegment;

/// The committed state at one moment: immutable, swapped once per commit. A reader takes one and needs nothing
/// else to find every page as it was then.
///
/// @param txid number of the last commit
/// @param lsn end of its log record
/// @param pageCount pages ever used; all numbers below it are pages
/// @param freePages number of free pages among them
/// @param lowestFree lower bound of the free pages
/// @param versions lookup of the newest versions of pages
/// @param frames memory of these versions
@SuppressWarnings("ArrayRecordComponent") // shared on purpose, see PageTable
public record State(
        long txid,
        long lsn,
        long pageCount,
        long freePages,
        long lowestFree,
        PageTable.View versions,
        MemorySegment[] frames) {}

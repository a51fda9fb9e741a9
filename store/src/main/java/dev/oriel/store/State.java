package dev.oriel.store;

import java.lang.foreign.MemorySegment;

/// What is committed, at one moment: immutable, swapped once per commit. A reader takes one and
/// needs nothing else to find every page as it was then.
///
/// @param txid number of the last commit
/// @param lsn end of its log record
/// @param pageCount pages ever used; all numbers below it are pages
/// @param freePages how many of them are free
/// @param lowestFree no page below this one is free
/// @param versions where the newest versions of pages are
/// @param frames memory of those versions
@SuppressWarnings("ArrayRecordComponent") // shared on purpose, see PageTable
record State(
        long txid,
        long lsn,
        long pageCount,
        long freePages,
        long lowestFree,
        PageTable.View versions,
        MemorySegment[] frames) {}

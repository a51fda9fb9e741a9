package dev.oriel.store;

/// Figures of the recovery at the opening of a store.
///
/// @param clean whether the store was closed in order, so that nothing had to be recovered
/// @param logBytes bytes of the log that were replayed
/// @param commits commits found in them
/// @param shadowPages pages taken from the shadow file
/// @param nanos duration of the recovery, with the writing of its result
public record RecoveryFigures(
        boolean clean, long logBytes, long commits, long shadowPages, long nanos) {
    public static final RecoveryFigures NONE = new RecoveryFigures(true, 0, 0, 0, 0);
}

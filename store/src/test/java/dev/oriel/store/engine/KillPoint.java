package dev.oriel.store.engine;

/// The call at which the process of [KillTarget] stops, to be killed there.
///
/// @param step operation and file, as in `write data`; `*` for every call
/// @param occurrence number of the call within the same phase and step, from 1; 0 for none
/// @param way before the call, after it, or in the middle of it
record KillPoint(KillPhase phase, String step, int occurrence, Way way) {
    /// Part of the call that is done when the process is killed.
    enum Way {
        BEFORE,
        HALF,
        AFTER
    }
}

package dev.oriel.sql.watch;

import dev.oriel.store.UsageException;
import org.jspecify.annotations.Nullable;

/// The executions whose samples a profile keeps: all, those of one session, or those of one kind of statement.
///
/// @param session number of the session; 0 for all
/// @param fingerprint number of the kind of statement; null for all
record ProfileScope(long session, @Nullable Long fingerprint) {
    static final ProfileScope ALL = new ProfileScope(0, null);

    private static final int HEXADECIMAL = 16;

    /// The scope of a session and a kind of statement.
    ///
    /// @param session null for all
    /// @param fingerprint as `sys.statements` has it; null for all
    /// @throws UsageException if there is no such session or statement
    static ProfileScope of(Watch watch, @Nullable Long session, @Nullable String fingerprint) {
        if (session != null && !watch.hasSession(session)) {
            throw new UsageException(
                    "There is no such session, or it is closed: sys.sessions lists all",
                    "session=" + session);
        }
        return session == null && fingerprint == null
                ? ALL
                : new ProfileScope(
                        session == null ? 0 : session,
                        fingerprint == null ? null : number(watch, fingerprint));
    }

    private static Long number(Watch watch, String fingerprint) {
        try {
            long number = Long.parseUnsignedLong(fingerprint, HEXADECIMAL);
            if (watch.statements().knows(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw noStatement(fingerprint, e);
        }
        throw noStatement(fingerprint, null);
    }

    private static UsageException noStatement(
            String fingerprint, @Nullable NumberFormatException cause) {
        return new UsageException(
                "No statement has this fingerprint: sys.statements lists all",
                "fingerprint=" + fingerprint,
                cause);
    }

    boolean isAll() {
        return session == 0 && fingerprint == null;
    }

    boolean takes(StatementTimeline.Execution execution) {
        return (session == 0 || session == execution.session())
                && (fingerprint == null || fingerprint == execution.statement().fingerprint());
    }

    /// Suffix of the name of a run, behind the kinds of samples: ` of session 7`.
    String words() {
        String of = fingerprint == null ? "" : " of statement %016x".formatted(fingerprint);
        return session == 0 ? of : of + (of.isEmpty() ? " of" : " in") + " session " + session;
    }
}

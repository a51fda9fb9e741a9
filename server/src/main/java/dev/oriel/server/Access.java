package dev.oriel.server;

import org.jspecify.annotations.Nullable;

/// Required rights of a command. Each protocol has one table of its commands with their access rules. A command missing
/// from the table is refused to all clients, so a new command without a rule is refused too.
enum Access {
    /// No login needed.
    ANYBODY(null),
    /// Needs a login, if there are users.
    USER(null),
    /// Needs read access to the bucket.
    READ(Role.READ),
    /// Needs write access to the bucket's entries.
    WRITE(Role.WRITE),
    /// Needs admin rights on the bucket, such as to empty it.
    ADMIN(Role.ADMIN),
    /// Needs rights on the server as a whole, such as to change users.
    SERVER(null);

    private final @Nullable Role role;

    Access(@Nullable Role role) {
        this.role = role;
    }

    /// Role that the client needs on its bucket; null if it does not matter.
    @Nullable Role role() {
        return role;
    }
}

package dev.oriel.server;

import org.jspecify.annotations.Nullable;

/// Who may send a command. Each protocol has one table of its commands with this beside each; what is in no
/// table is no command, so one that was added without a rule is refused to everybody.
enum Access {
    /// Also who has not logged in.
    ANYBODY(null),
    /// Who has logged in, where there are users.
    USER(null),
    /// Who may look at the bucket.
    READ(Role.READ),
    /// Who may change the bucket's entries.
    WRITE(Role.WRITE),
    /// Who may empty the bucket.
    ADMIN(Role.ADMIN),
    /// Who may change users, and what concerns the server as a whole.
    SERVER(null);

    private final @Nullable Role role;

    Access(@Nullable Role role) {
        this.role = role;
    }

    /// What the client must be allowed to do with its bucket; null where that does not matter.
    @Nullable Role role() {
        return role;
    }
}

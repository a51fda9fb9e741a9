package dev.oriel.server;

import dev.oriel.server.Users.Kept;
import dev.oriel.store.ClosedException;
import dev.oriel.store.UsageException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The accounts of a server: the users of its options, who may do everything, and the users that the database
/// keeps. It is a snapshot of the database, taken again whenever users change.
///
/// Safe for use by any number of threads; reading it never blocks.
final class Accounts {
    private final Users users;
    private final Map<String, Account> given = new HashMap<>();
    private final ServerLog log;

    /// Stand-in for unknown names: their password is checked like any other, and takes as long.
    private final Account nobody;

    private final byte[] decoy = new byte[Secret.SALT_BYTES];

    private List<Kept> kept = List.of(); // guarded by this
    private volatile Map<String, Account> all;
    private volatile boolean open;

    Accounts(Users users, Map<String, String> options, ServerLog log) {
        this.users = users;
        this.log = log;
        new SecureRandom().nextBytes(decoy);
        options.forEach((name, password) ->
                given.put(
                        name,
                        new Account(
                                new User(name, Map.of(User.ALL_BUCKETS, Role.ADMIN)), password)));
        Secret secret = Secret.of("nobody", "HmacSHA512", Secret.ITERATIONS, new SecureRandom());
        this.nobody = new Account(new User("", Map.of()), Map.of("HmacSHA512", secret.text()));
        this.all = Map.copyOf(given);
        this.open = all.isEmpty();
    }

    /// Takes a new snapshot if users have changed.
    ///
    /// @throws dev.oriel.store.DatabaseException if they cannot be read
    synchronized void read() {
        List<Kept> now = users.kept();
        if (now.equals(kept)) {
            return;
        }
        Map<String, Kept> before = new HashMap<>();
        kept.forEach(one -> before.put(one.user().name(), one));
        Map<String, Account> next = new HashMap<>();
        for (Kept one : now) {
            String name = one.user().name();
            Account same = one.equals(before.get(name)) ? all.get(name) : null;
            try {
                next.put(name, same == null ? new Account(one.user(), one.secrets()) : same);
            } catch (UsageException e) {
                log.failed("A user cannot be read, and cannot log in", e, "name", name);
            }
        }
        next.putAll(given);
        open = open && now.isEmpty() && given.isEmpty();
        kept = now;
        all = Map.copyOf(next);
    }

    /// [#read] as a background task: if it fails, the last snapshot stays.
    void refresh() {
        try {
            read();
        } catch (ClosedException e) {
            log.said("users are not looked for any more", "reason", "the database is closed");
        } catch (RuntimeException e) { // unexpected ones too: the next refresh follows
            log.failed("Users could not be read; those that were known stay", e);
        }
    }

    /// Whether no login is needed, because there are no users. Once there was a user it stays closed, so that
    /// dropping the last user opens nothing.
    boolean isOpen() {
        return open;
    }

    /// The account of that name; null if there is none.
    @Nullable Account of(String name) {
        return all.get(name);
    }

    /// All accounts, by name: another object after each change.
    Map<String, Account> picture() {
        return all;
    }

    /// The account with this name and password; null if there is none. Takes as long for an unknown name as for a
    /// wrong password.
    @Nullable Account login(String name, String password) {
        Account account = all.get(name);
        if (account == null) {
            nobody.isPassword(password);
            return null;
        }
        return account.isPassword(password) ? account : null;
    }

    /// A salt for an unknown name, always the same.
    byte[] decoySalt(String name) {
        byte[] mixed = Secret.hmac("HmacSHA256", decoy, name.getBytes(StandardCharsets.UTF_8));
        return Arrays.copyOf(mixed, Secret.SALT_BYTES);
    }
}

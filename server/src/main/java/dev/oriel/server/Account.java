package dev.oriel.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// A user as the server keeps it in memory, and the check of a login against it. Safe for use by any number of
/// threads.
final class Account {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final User user;
    private final @Nullable String password;
    private final Map<String, String> kept;
    private final ConcurrentMap<String, Secret> secrets = new ConcurrentHashMap<>();

    /// Key of [#sealed], known to this process alone. It seals the last correct password, so that a client sending it
    /// with each request (HTTP) is not delayed each time.
    private final byte[] seal = new byte[32];

    private volatile byte @Nullable [] sealed;

    /// An account whose password was given in the options, in the clear.
    Account(User user, String password) {
        this.user = user;
        this.password = password;
        this.kept = Map.of();
        RANDOM.nextBytes(seal);
    }

    /// An account that is kept in the database.
    Account(User user, Map<String, String> kept) {
        this.user = user;
        this.password = null;
        this.kept = kept;
        kept.forEach((hash, text) -> secrets.put(hash, Secret.parse(text)));
        RANDOM.nextBytes(seal);
    }

    String name() {
        return user.name();
    }

    User user() {
        return user;
    }

    /// Whether a client logged in as `earlier` need not log in again: only the rights differ.
    boolean isSameLogin(Account earlier) {
        return name().equals(earlier.name())
                && kept.equals(earlier.kept)
                && Objects.equals(password, earlier.password);
    }

    /// The secret that SCRAM checks a proof against.
    ///
    /// @param hash as Java's Mac names it
    @Nullable Secret secret(String hash) {
        String known = password;
        return known == null
                ? secrets.get(hash)
                : secrets.computeIfAbsent(
                        hash, name -> Secret.of(known, name, Secret.ITERATIONS, RANDOM));
    }

    /// Whether `given` is the password. The time it takes does not depend on the number of correct characters.
    boolean isPassword(String given) {
        byte[] now = Secret.hmac("HmacSHA256", seal, bytes(given));
        byte[] last = sealed;
        if (last != null && MessageDigest.isEqual(now, last)) {
            return true;
        }
        Secret secret =
                secret("HmacSHA512"); // also for users of options, so that the time does not
        // reveal their names
        boolean right = secret != null && secret.matches(given, "HmacSHA512");
        if (right) {
            sealed = now;
        }
        return right;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

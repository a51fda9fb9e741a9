package dev.oriel.server;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// The keys by which SCRAM proves a password without showing it (RFC 5802), worked out for each user and
/// hash when they are first asked for. Safe for use by any number of threads.
final class Credentials {
    static final int ITERATIONS = 4_096;
    private static final int SALT_BYTES = 16;

    private final SecureRandom random = new SecureRandom();
    private final Map<String, String> users;
    private final ConcurrentMap<String, Keys> keys = new ConcurrentHashMap<>();

    /// What is asked of strangers for names that nobody has looks like any other.
    private final byte[] decoy = bytes(SALT_BYTES);

    Credentials(Map<String, String> users) {
        this.users = users;
    }

    /// What is kept of a password for one hash.
    @SuppressWarnings("ArrayRecordComponent") // never changed
    record Keys(byte[] salt, byte[] stored, byte[] server) {}

    /// The keys of a user; null where there is none of that name.
    ///
    /// @param hash as Java's Mac names it: `HmacSHA512`
    @Nullable Keys of(String user, String hash) {
        String password = users.get(user);
        return password == null
                ? null
                : keys.computeIfAbsent(hash + " " + user, key -> derive(password, hash));
    }

    /// A salt for a name that is nobody's, always the same.
    byte[] decoySalt(String user) {
        byte[] salt = new byte[SALT_BYTES];
        byte[] mixed = hmac("HmacSHA256", decoy, user.getBytes(StandardCharsets.UTF_8));
        System.arraycopy(mixed, 0, salt, 0, SALT_BYTES);
        return salt;
    }

    byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private Keys derive(String password, String hash) {
        byte[] salt = bytes(SALT_BYTES);
        byte[] salted = pbkdf2(password.getBytes(StandardCharsets.UTF_8), salt, hash);
        byte[] client = hmac(hash, salted, "Client Key".getBytes(StandardCharsets.US_ASCII));
        byte[] server = hmac(hash, salted, "Server Key".getBytes(StandardCharsets.US_ASCII));
        return new Keys(salt, Scram.digest(hash, client), server);
    }

    /// The first block of PBKDF2, which is as long as the hash: all that SCRAM takes.
    private static byte[] pbkdf2(byte[] password, byte[] salt, String hash) {
        byte[] block = java.util.Arrays.copyOf(salt, salt.length + 4);
        block[block.length - 1] = 1;
        byte[] round = hmac(hash, password, block);
        byte[] sum = round.clone();
        for (int i = 1; i < ITERATIONS; i++) {
            round = hmac(hash, password, round);
            for (int j = 0; j < sum.length; j++) {
                sum[j] ^= round[j];
            }
        }
        return sum;
    }

    static byte[] hmac(String hash, byte[] key, byte[] message) {
        try {
            Mac mac = Mac.getInstance(hash);
            mac.init(new SecretKeySpec(key.length == 0 ? new byte[1] : key, hash));
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + hash, e);
        }
    }
}

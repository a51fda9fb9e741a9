package dev.oriel.server;

import dev.oriel.store.UsageException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The stored form of a password for one hash: enough to check it by SCRAM (RFC 5802), but not enough to log in
/// with. As text it is `ITERATIONS:SALT$STORED KEY:SERVER KEY`, in Base64.
///
/// @param iterations how often the hash is repeated, so that guessing is slow
@SuppressWarnings("ArrayRecordComponent") // never changed
record Secret(int iterations, byte[] salt, byte[] stored, byte[] server) {
    static final int SALT_BYTES = 16;

    /// Iterations of the hash, as many as Couchbase's server uses.
    static final int ITERATIONS = 15_000;

    /// Derives the secret from a password with a new salt.
    ///
    /// @param hash as Java's Mac names it: `HmacSHA512`
    static Secret of(String password, String hash, int iterations, SecureRandom random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return of(password, hash, iterations, salt);
    }

    private static Secret of(String password, String hash, int iterations, byte[] salt) {
        byte[] salted = repeated(password.getBytes(StandardCharsets.UTF_8), salt, hash, iterations);
        byte[] client = hmac(hash, salted, "Client Key".getBytes(StandardCharsets.US_ASCII));
        byte[] server = hmac(hash, salted, "Server Key".getBytes(StandardCharsets.US_ASCII));
        return new Secret(iterations, salt, Scram.digest(hash, client), server);
    }

    /// Whether this secret was derived from `password`. Takes as long for any password.
    boolean matches(String password, String hash) {
        return MessageDigest.isEqual(stored, of(password, hash, iterations, salt).stored);
    }

    String text() {
        Base64.Encoder base64 = Base64.getEncoder();
        return "%d:%s$%s:%s"
                .formatted(
                        iterations,
                        base64.encodeToString(salt),
                        base64.encodeToString(stored),
                        base64.encodeToString(server));
    }

    /// Parses [#text].
    static Secret parse(String text) {
        String[] parts = text.split("[:$]", -1);
        try {
            if (parts.length == 4) {
                Base64.Decoder base64 = Base64.getDecoder();
                return new Secret(
                        Integer.parseInt(parts[0]),
                        base64.decode(parts[1]),
                        base64.decode(parts[2]),
                        base64.decode(parts[3]));
            }
        } catch (IllegalArgumentException e) {
            throw unreadable(e);
        }
        throw unreadable(null);
    }

    private static UsageException unreadable(@org.jspecify.annotations.Nullable Exception cause) {
        return new UsageException( // the text is a secret, and stays out of the message
                "The stored form of a user's password cannot be read; set the password again",
                "table=SERVER_USER",
                cause);
    }

    /// The first block of PBKDF2, which is as long as the hash: SCRAM needs no more.
    private static byte[] repeated(byte[] password, byte[] salt, String hash, int iterations) {
        byte[] block = Arrays.copyOf(salt, salt.length + 4);
        block[block.length - 1] = 1;
        Mac mac = mac(hash, password);
        byte[] round = mac.doFinal(block);
        byte[] sum = round.clone();
        for (int i = 1; i < iterations; i++) {
            round = mac.doFinal(round);
            for (int j = 0; j < sum.length; j++) {
                sum[j] ^= round[j];
            }
        }
        return sum;
    }

    static byte[] hmac(String hash, byte[] key, byte[] message) {
        return mac(hash, key).doFinal(message);
    }

    private static Mac mac(String hash, byte[] key) {
        try {
            Mac mac = Mac.getInstance(hash);
            mac.init(new SecretKeySpec(key.length == 0 ? new byte[1] : key, hash));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + hash, e);
        }
    }

    /// Hides the secret.
    @Override
    public String toString() {
        return "Secret";
    }
}

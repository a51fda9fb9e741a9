package dev.oriel.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// The server's side of one SCRAM exchange (RFC 5802, 7677), without channel binding.
///
/// ```
/// client: n,,n=USER,r=NONCE
/// server: r=NONCE+MORE,s=SALT,i=ITERATIONS
/// client: c=biws,r=NONCE+MORE,p=PROOF
/// server: v=SIGNATURE
/// ```
final class Scram {
    private static final int NONCE_BYTES = 18;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int MESSAGE_CHARS_MAX = 2_000;

    private final String mechanism;
    private final String hash;
    private final Accounts accounts;
    private @Nullable Account account;
    private String user = "";
    private String nonce = "";
    private String firstBare = "";
    private String challenge = "";

    private Scram(String mechanism, String hash, Accounts accounts) {
        this.mechanism = mechanism;
        this.hash = hash;
        this.accounts = accounts;
    }

    /// An exchange of the given mechanism, or null if the mechanism is unknown.
    static @Nullable Scram of(String mechanism, Accounts accounts) {
        return switch (mechanism) {
            case "SCRAM-SHA512" -> new Scram(mechanism, "HmacSHA512", accounts);
            case "SCRAM-SHA256" -> new Scram(mechanism, "HmacSHA256", accounts);
            case "SCRAM-SHA1" -> new Scram(mechanism, "HmacSHA1", accounts);
            default -> null;
        };
    }

    /// The name of its mechanism, such as `SCRAM-SHA256`.
    String mechanism() {
        return mechanism;
    }

    /// The user name in the client's first message.
    String user() {
        return user;
    }

    /// The account whose password was proved, after [#last].
    @Nullable Account account() {
        return account;
    }

    /// The challenge for the client's first message, or null if it is invalid.
    @Nullable String first(String message) {
        if (message.length() > MESSAGE_CHARS_MAX || !message.startsWith("n,")) {
            return null;
        }
        int bare = message.indexOf(',', 2) + 1;
        firstBare = message.substring(bare);
        String name = attribute(firstBare, 'n');
        String clientNonce = attribute(firstBare, 'r');
        if (bare == 0 || name == null || clientNonce == null || clientNonce.isEmpty()) {
            return null;
        }
        user = name.replace("=2C", ",").replace("=3D", "=");
        byte[] fresh = new byte[NONCE_BYTES];
        RANDOM.nextBytes(fresh);
        nonce = clientNonce + Base64.getEncoder().encodeToString(fresh);
        account = accounts.of(user);
        Secret keys = account == null ? null : account.secret(hash);
        byte[] salt = keys == null ? accounts.decoySalt(user) : keys.salt();
        challenge =
                "r=%s,s=%s,i=%d"
                        .formatted(
                                nonce,
                                Base64.getEncoder().encodeToString(salt),
                                keys == null ? Secret.ITERATIONS : keys.iterations());
        return challenge;
    }

    /// The server's signature for the client's last message, or null if the proof is wrong.
    @Nullable String last(String message) {
        Account known = account;
        Secret keys = known == null ? null : known.secret(hash);
        int proofAt = message.lastIndexOf(",p=");
        if (keys == null || proofAt < 0 || message.length() > MESSAGE_CHARS_MAX) {
            return null;
        }
        if (!nonce.equals(attribute(message, 'r')) || !"biws".equals(attribute(message, 'c'))) {
            return null;
        }
        byte[] proof;
        try {
            proof = Base64.getDecoder().decode(message.substring(proofAt + 3));
        } catch (IllegalArgumentException e) {
            return null;
        }
        byte[] signed =
                (firstBare + "," + challenge + "," + message.substring(0, proofAt))
                        .getBytes(StandardCharsets.UTF_8);
        byte[] signature = Secret.hmac(hash, keys.stored(), signed);
        if (proof.length != signature.length) {
            return null;
        }
        for (int i = 0; i < proof.length; i++) {
            proof[i] ^= signature[i];
        }
        if (!MessageDigest.isEqual(digest(hash, proof), keys.stored())) {
            return null;
        }
        return "v=" + Base64.getEncoder().encodeToString(Secret.hmac(hash, keys.server(), signed));
    }

    private static @Nullable String attribute(String message, char name) {
        for (String part : message.split(",", -1)) {
            if (part.length() >= 2 && part.charAt(0) == name && part.charAt(1) == '=') {
                return part.substring(2);
            }
        }
        return null;
    }

    /// @param hash as Java's Mac names it
    static byte[] digest(String hash, byte[] message) {
        String name = "SHA-" + hash.substring("HmacSHA".length());
        try {
            return MessageDigest.getInstance(name).digest(message);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + name, e);
        }
    }
}

package dev.oriel.server;

import dev.oriel.store.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads a private key in PEM: PKCS#8, or the older forms of OpenSSL, PKCS#1 (RSA) and SEC1 (elliptic curves),
/// which are PKCS#8 without its envelope.
final class PrivateKeyFile {
    private static final Pattern BLOCK =
            Pattern.compile(
                    "-----BEGIN ((?:RSA |EC |ENCRYPTED )?PRIVATE KEY)-----([^-]*)-----END \\1-----");
    private static final byte[] VERSION = HexFormat.of().parseHex("020100");

    /// Algorithm identifier rsaEncryption, without parameters.
    private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");

    /// Object identifier ecPublicKey.
    private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int PARAMETERS = 0xA0;

    private PrivateKeyFile() {}

    static PrivateKey read(Path file) throws IOException {
        Matcher block = BLOCK.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        if (!block.find()) {
            throw new IllegalArgumentException("There is no private key in PEM");
        }
        byte[] bytes = Base64.getMimeDecoder().decode(block.group(2));
        byte[] whole =
                switch (block.group(1)) {
                    case "RSA PRIVATE KEY" -> covered(RSA, bytes);
                    case "EC PRIVATE KEY" -> covered(wrap(SEQUENCE, join(EC, curve(bytes))), bytes);
                    case "ENCRYPTED PRIVATE KEY" ->
                            throw new IllegalArgumentException(
                                    "The key has a password; remove it with openssl pkcs8");
                    default -> bytes;
                };
        IllegalArgumentException unknown =
                new IllegalArgumentException("The type of the private key is not supported");
        for (String algorithm : new String[] {"EC", "RSA", "EdDSA", "RSASSA-PSS"}) {
            try {
                return KeyFactory.getInstance(algorithm)
                        .generatePrivate(new PKCS8EncodedKeySpec(whole));
            } catch (GeneralSecurityException other) {
                unknown.addSuppressed(other);
            }
        }
        throw unknown;
    }

    /// @throws UsageException if `key` is not the private half of `known`
    static void checkPair(PrivateKey key, PublicKey known, String context) {
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "EC" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    default -> key.getAlgorithm();
                };
        byte[] sample = {1, 2, 3};
        boolean fits;
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(sample);
            byte[] signed = signing.sign();
            signing.initVerify(known);
            signing.update(sample);
            fits = signing.verify(signed);
        } catch (GeneralSecurityException e) { // different kinds of keys
            throw new UsageException(MISMATCH, context, e);
        }
        if (!fits) {
            throw new UsageException(MISMATCH, context);
        }
    }

    private static final String MISMATCH =
            "The certificate and the key do not belong together; give the key that the certificate was"
                    + " made for";

    private static byte[] covered(byte[] algorithm, byte[] key) {
        return wrap(SEQUENCE, join(VERSION, join(algorithm, wrap(OCTETS, key))));
    }

    /// The curve named in a SEC1 key.
    private static byte[] curve(byte[] key) {
        int at = contents(key, 0);
        while (at < key.length) {
            int from = contents(key, at);
            int end = from + length(key, at);
            if ((key[at] & 0xFF) == PARAMETERS) {
                return Arrays.copyOfRange(key, from, end);
            }
            at = end;
        }
        throw new IllegalArgumentException("The private key does not name its curve");
    }

    private static int contents(byte[] der, int at) {
        int first = der[at + 1] & 0xFF;
        return at + 2 + (first < 0x80 ? 0 : first & 0x7F);
    }

    private static int length(byte[] der, int at) {
        int first = der[at + 1] & 0xFF;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < (first & 0x7F); i++) {
            length = (length << 8) | (der[at + 2 + i] & 0xFF);
        }
        return length;
    }

    private static byte[] wrap(int tag, byte[] contents) {
        int length = contents.length;
        byte[] head =
                length < 0x80
                        ? new byte[] {(byte) tag, (byte) length}
                        : new byte[] {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length};
        return join(head, contents);
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}

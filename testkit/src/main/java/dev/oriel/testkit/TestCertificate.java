package dev.oriel.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;

/// A certificate for `localhost` that the JDK's keytool makes for a test, with its key.
///
/// @param certificate signed by itself
/// @param key its private key
public record TestCertificate(Certificate certificate, Key key) {
    private static final String PASSWORD = "changeit";
    private static final String ALIAS = "test";

    /// Makes a new certificate.
    ///
    /// @param folder for a temporary file
    public static TestCertificate make(Path folder)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path store = folder.resolve("certificate.p12");
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                ALIAS,
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                PASSWORD)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool has failed: " + said);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        Files.delete(store);
        return new TestCertificate(
                keys.getCertificate(ALIAS), keys.getKey(ALIAS, PASSWORD.toCharArray()));
    }

    /// Writes the PEM files one after the other, as an operator would.
    public void write(Path chainFile, Path keyFile) throws IOException, GeneralSecurityException {
        pem("PRIVATE KEY", key.getEncoded(), keyFile);
        pem("CERTIFICATE", certificate.getEncoded(), chainFile);
    }

    private static void pem(String kind, byte[] bytes, Path file) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        Files.writeString(
                file, "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
    }
}

package dev.oriel.server;

import dev.oriel.store.UsageException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The server's certificate, read again when its files change. New connections see the new one, others keep
/// theirs. Thread-safe.
final class Certificate {
    private static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);
    private static final long WARNED_MILLIS = 14 * DAY_MILLIS;

    private final @Nullable Path chain;
    private final @Nullable Path key;
    private final ServerLog log;
    private List<FileTime> times = List.of(); // guarded by this
    private boolean failed; // guarded by this
    private volatile @Nullable SslContext context;
    private volatile long expiryMillis;
    private long toldMillis; // guarded by this

    /// @param chain file of the certificate chain in PEM; null for no encryption
    /// @param key file of its private key in PEM
    Certificate(@Nullable Path chain, @Nullable Path key, ServerLog log) {
        this.chain = chain;
        this.key = key;
        this.log = log;
    }

    /// The context that encrypts connections; null if they are not encrypted.
    @Nullable SslContext context() {
        return context;
    }

    /// Reads the files.
    ///
    /// @throws UsageException if they cannot be used
    synchronized void read() {
        Path certificate = chain;
        Path privateKey = key;
        if (certificate == null || privateKey == null) {
            return;
        }
        List<FileTime> before = timesOrNone(certificate, privateKey);
        X509Certificate[] known = readChain(certificate);
        PrivateKey secret = readKey(privateKey);
        String files = "certificate=" + certificate + " key=" + privateKey;
        try {
            PrivateKeyFile.checkPair(secret, known[0].getPublicKey(), files);
            context = SslContextBuilder.forServer(secret, known).build();
            times = before;
            expiryMillis = expiryMillis(known);
            toldMillis = 0;
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException(
                    "The certificate cannot be used with its key; give others", files, e);
        }
    }

    private static X509Certificate[] readChain(Path file) {
        try {
            return certificates(file);
        } catch (IOException e) {
            throw new UsageException(
                    "The certificate cannot be read; give a PEM file that this user may read",
                    "certificate=" + file + " reason=" + UnreadableFile.reason(file, e),
                    e);
        } catch (CertificateException e) {
            throw new UsageException(
                    "The certificate is not in PEM; convert it with openssl x509",
                    "certificate=" + file + " reason=" + e.getMessage(),
                    e);
        }
    }

    static PrivateKey readKey(Path file) {
        try {
            return PrivateKeyFile.read(file);
        } catch (IOException e) {
            throw new UsageException(
                    "The private key cannot be read; give a PEM file that this user may read",
                    "key=" + file + " reason=" + UnreadableFile.reason(file, e),
                    e);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new UsageException(
                    "The private key is not usable; give a PEM file of PKCS#8, PKCS#1 or SEC1,"
                            + " without a password",
                    "key=" + file + " reason=" + e.getMessage(),
                    e);
        }
    }

    /// The first expiry of the chain.
    private static long expiryMillis(X509Certificate[] chain) {
        long first = Long.MAX_VALUE;
        for (X509Certificate one : chain) {
            first = Math.min(first, one.getNotAfter().toInstant().toEpochMilli());
        }
        return first;
    }

    /// Expiry of the certificate in milliseconds since 1970, the first of its chain; 0 if there is none.
    long expiryMillis() {
        return expiryMillis;
    }

    /// Warns in the log once a day from two weeks before the expiry on.
    synchronized void tellExpiry(long nowMillis) {
        long left = expiryMillis - nowMillis;
        if (expiryMillis == 0 || left > WARNED_MILLIS || nowMillis - toldMillis < DAY_MILLIS) {
            return;
        }
        toldMillis = nowMillis;
        log.warned(
                left > 0
                        ? "The certificate expires soon; put a new one and its key in their files"
                        : "The certificate has expired; put a new one and its key in their files",
                "certificate",
                String.valueOf(chain),
                "expiry",
                Instant.ofEpochMilli(expiryMillis).toString());
    }

    /// Reads the files if they have changed. If they are unusable, perhaps because only one of them is written
    /// yet, the last certificate stays, and it tries again later.
    synchronized void refresh() {
        Path certificate = chain;
        Path privateKey = key;
        if (certificate == null || privateKey == null) {
            return;
        }
        try {
            if (!times.equals(times(certificate, privateKey))) {
                read();
                failed = false;
                log.said("certificate read again", "certificate", certificate.toString());
            }
        } catch (IOException | UsageException e) {
            if (!failed) {
                failed = true; // logged once, not each second
                log.failed("The certificate has changed and cannot be used; the old one stays", e);
            }
        }
    }

    private static X509Certificate[] certificates(Path file)
            throws IOException, CertificateException {
        byte[] bytes = Files.readAllBytes(file);
        try (InputStream in = new ByteArrayInputStream(bytes)) {
            X509Certificate[] chain =
                    CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                            .map(X509Certificate.class::cast)
                            .toArray(X509Certificate[]::new);
            if (chain.length == 0) {
                throw new CertificateException("There is no certificate");
            }
            return chain;
        }
    }

    private static List<FileTime> times(Path certificate, Path privateKey) throws IOException {
        return List.of(
                Files.getLastModifiedTime(certificate), Files.getLastModifiedTime(privateKey));
    }

    /// The times before the files are read: a change meanwhile is found by the next look. None if the times
    /// cannot be read.
    private static List<FileTime> timesOrNone(Path certificate, Path privateKey) {
        try {
            return times(certificate, privateKey);
        } catch (IOException e) { // reading the files fails too, and tells the reason
            return List.of();
        }
    }
}

package dev.oriel.server;

import dev.oriel.store.UsageException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The server's certificate, read again when its files change. New connections see the new one, others keep
/// theirs. Thread-safe.
final class Certificate {
    private final @Nullable Path chain;
    private final @Nullable Path key;
    private final ServerLog log;
    private List<FileTime> times = List.of(); // guarded by this
    private boolean failed; // guarded by this
    private volatile @Nullable SslContext context;

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
        try {
            List<FileTime> now = times(certificate, privateKey);
            PrivateKey secret = PrivateKeyFile.read(privateKey);
            X509Certificate[] known = certificates(certificate);
            PrivateKeyFile.checkPair(
                    secret,
                    known[0].getPublicKey(),
                    "certificate=" + certificate + " key=" + privateKey);
            context = SslContextBuilder.forServer(secret, known).build();
            times = now;
        } catch (IOException
                | IllegalArgumentException
                | IndexOutOfBoundsException
                | CertificateException e) {
            throw new UsageException(
                    "The certificate or its key cannot be used; both must be PEM files",
                    "certificate=" + certificate + " key=" + privateKey,
                    e);
        }
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
        try (InputStream in = Files.newInputStream(file)) {
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
}

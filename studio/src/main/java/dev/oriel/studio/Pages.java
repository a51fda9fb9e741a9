package dev.oriel.studio;

import dev.oriel.profiler.ReportScripts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The files of the page: ours from this package, drawings of profiles from the profiler, libraries from their jars.
final class Pages implements Router.Route {
    private static final String FOLDER = "web";
    private static final Libraries LIBRARIES = Libraries.load();

    /// Lets the editor add its own style sheet; new each time the program starts.
    private static final String NONCE = UUID.randomUUID().toString();

    /// Content security policy: scripts from here alone, and the one inline import map of the libraries. Style
    /// attributes are allowed: browsers write them into the editor when text is typed over coloured text.
    static final String POLICY =
            "default-src 'none'; script-src 'self' '"
                    + digest(LIBRARIES.importMap())
                    + "'; style-src 'self' 'nonce-"
                    + NONCE
                    + "'; style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self';"
                    + " font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final Map<String, String> TYPES =
            Map.of(
                    "html", "text/html",
                    "js", "text/javascript",
                    "mjs", "text/javascript",
                    "css", "text/css",
                    "svg", "image/svg+xml");

    @Override
    public void answer(Exchange exchange) throws IOException {
        send(exchange, exchange.path().equals("/") ? "/index.html" : exchange.path());
    }

    /// Answers with the file at `path`.
    void send(Exchange exchange, String path) throws IOException {
        byte[] file = LIBRARIES.file(path);
        if (file == null && path.matches("/[a-z0-9-]+\\.(html|js|css|svg)")) {
            String shared = ReportScripts.module(path.substring(1));
            file = shared == null ? own(path) : shared.getBytes(StandardCharsets.UTF_8);
        }
        if (file == null) {
            throw new RequestException(404, "There is no page " + path + "; open / instead.");
        }
        if (path.equals("/index.html")) {
            String html = new String(file, StandardCharsets.UTF_8);
            file =
                    html.replace("{{imports}}", LIBRARIES.importMap())
                            .replace("{{nonce}}", NONCE)
                            .getBytes(StandardCharsets.UTF_8);
        }
        String type = TYPES.getOrDefault(path.substring(path.lastIndexOf('.') + 1), "text/plain");
        if (path.startsWith(Libraries.PREFIX)) {
            exchange.sendFile(type, file);
        } else {
            exchange.send(200, type, file);
        }
    }

    private static byte @Nullable [] own(String path) throws IOException {
        try (InputStream in = Pages.class.getResourceAsStream(FOLDER + path)) {
            return in == null ? null : in.readAllBytes();
        }
    }

    private static String digest(String text) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            byte[] hash = sha.digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing; use a complete JDK.", e);
        }
    }
}

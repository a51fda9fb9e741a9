package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.Database;
import dev.oriel.studio.StudioUsers.Right;
import dev.oriel.testkit.TestCertificate;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A studio for other machines: TLS, a login, rights that may change.
@ExtendWith(SharedChromium.class)
class UsersTest {
    private static final String ASKED = "{\"sql\": \"SELECT 1\"}";
    private static final int ENTER = 13;

    @SuppressWarnings("NullAway.Init")
    private Database database;

    @SuppressWarnings("NullAway.Init")
    private Studio studio;

    @SuppressWarnings("NullAway.Init")
    private static TestCertificate certificate;

    private final Map<String, Right> rights =
            new ConcurrentHashMap<>(
                    Map.of("ada", Right.WRITE, "till", Right.READ, "bob", Right.NONE));

    /// Names are their own passwords.
    private final class Known implements StudioUsers {
        private final SslContext context;

        Known() throws IOException {
            context =
                    SslContextBuilder.forServer(
                                    (PrivateKey) certificate.key(),
                                    (X509Certificate) certificate.certificate())
                            .build();
        }

        @Override
        public SslContext tls() {
            return context;
        }

        @Override
        public @Nullable Login login(InetAddress from, String name, String password) {
            assertTrue(from.isLoopbackAddress());
            return rights.containsKey(name) && name.equals(password)
                    ? () -> rights.getOrDefault(name, Right.NONE)
                    : null;
        }
    }

    @BeforeAll
    static void certify(@TempDir Path folder) throws Exception {
        certificate = TestCertificate.make(folder);
    }

    @BeforeEach
    void open() throws Exception {
        database = Database.inMemory();
        studio = Studio.open(database, StudioOptions.defaults().withHost("localhost"), new Known());
    }

    @AfterEach
    void close() {
        studio.close();
        database.close();
    }

    private HttpClient client() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("studio", certificate.certificate());
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder()
                .sslContext(context)
                .cookieHandler(new CookieManager())
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    private HttpRequest.Builder at(String path) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + studio.port() + path));
    }

    private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request)
            throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(HttpClient client, String path, String body)
            throws Exception {
        return send(client, at(path).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> login(HttpClient client, String name, String password)
            throws Exception {
        return post(
                client,
                "/login",
                Exchange.JSON
                        .createObjectNode()
                        .put("name", name)
                        .put("password", password)
                        .toString());
    }

    private String about(HttpClient client) throws Exception {
        return send(client, at("/api/v1/about")).body();
    }

    @Test
    void strangersSeeTheLoginAlone() throws Exception {
        HttpClient stranger = client();
        assertTrue(send(stranger, at("/")).body().contains("login.js"));
        assertEquals(200, send(stranger, at("/login.js")).statusCode());
        assertEquals(401, send(stranger, at("/main.js")).statusCode());
        assertEquals(401, send(stranger, at("/api/v1/catalog")).statusCode());
        assertEquals(401, post(stranger, "/api/v1/query", ASKED).statusCode());
        assertTrue(send(stranger, at("/?token=0123456789abcdef")).body().contains("login.js"));
        assertEquals(403, login(stranger, "ada", "wrong").statusCode());
        assertEquals(403, login(stranger, "nobody", "nobody").statusCode());
        assertEquals(400, post(stranger, "/login", "{}").statusCode());
        assertEquals(400, post(stranger, "/login", "no JSON").statusCode());
        assertEquals(401, send(stranger, at("/api/v1/about")).statusCode());
    }

    @Test
    void theCookieIsKeptFromScriptsOtherSitesAndPlainHttp() throws Exception {
        HttpResponse<String> answer = login(client(), "ada", "ada");
        String cookie = answer.headers().firstValue("set-cookie").orElse("");
        assertTrue(
                cookie.startsWith("__Host-oriel-studio-")
                        && cookie.endsWith("; Path=/; Secure; HttpOnly; SameSite=Strict"),
                cookie);
    }

    @Test
    void anAdminChangesAndAReaderReads() throws Exception {
        HttpClient admin = client();
        assertEquals(200, login(admin, "ada", "ada").statusCode());
        assertTrue(about(admin).contains("\"readOnly\":false"), about(admin));
        assertTrue(about(admin).contains("\"user\":\"ada\""), about(admin));
        post(admin, "/api/v1/query", "{\"sql\": \"CREATE TABLE t (id INTEGER PRIMARY KEY)\"}");
        HttpClient reader = client();
        assertEquals(200, login(reader, "till", "till").statusCode());
        assertTrue(about(reader).contains("\"readOnly\":true"), about(reader));
        assertTrue(
                post(reader, "/api/v1/query", "{\"sql\": \"SELECT * FROM t\"}")
                        .body()
                        .contains("\"rows\":0"));
        assertTrue(
                post(reader, "/api/v1/query", "{\"sql\": \"INSERT INTO t VALUES (1)\"}")
                        .body()
                        .contains("25006"));
        String change = "{\"table\": \"t\", \"set\": {\"id\": 1}}";
        assertEquals(403, post(reader, "/api/v1/change", change).statusCode());
        assertEquals(200, post(admin, "/api/v1/change", change).statusCode());
        assertEquals(403, login(client(), "bob", "bob").statusCode());
    }

    @Test
    void rightsThatAreTakenEndASession() throws Exception {
        HttpClient admin = client();
        login(admin, "ada", "ada");
        rights.put("ada", Right.READ);
        assertTrue(about(admin).contains("\"readOnly\":true"), about(admin));
        rights.remove("ada");
        assertEquals(401, send(admin, at("/api/v1/about")).statusCode());
    }

    @Test
    void aLogoutEndsTheSessionAndItsCookie() throws Exception {
        HttpClient admin = client();
        String cookie = login(admin, "ada", "ada").headers().firstValue("set-cookie").orElse("");
        assertEquals(200, send(admin, at("/api/v1/about")).statusCode());
        assertEquals(200, post(admin, "/logout", "").statusCode());
        assertEquals(401, send(admin, at("/api/v1/about")).statusCode());
        String kept = cookie.substring(0, cookie.indexOf(';'));
        HttpRequest.Builder again = at("/api/v1/about").header("Cookie", kept);
        assertEquals(401, send(client(), again).statusCode());
    }

    @Test
    void otherSitesAndLongRequestsOfStrangersAreRefused() throws Exception {
        HttpClient admin = client();
        login(admin, "ada", "ada");
        for (String origin :
                List.of("https://evil.example", "http://localhost:" + studio.port(), "null")) {
            HttpRequest.Builder request =
                    at("/api/v1/query")
                            .header("Origin", origin)
                            .POST(HttpRequest.BodyPublishers.ofString(ASKED));
            assertEquals(403, send(admin, request).statusCode(), origin);
        }
        HttpRequest.Builder own =
                at("/api/v1/query")
                        .header("Origin", "https://localhost:" + studio.port())
                        .POST(HttpRequest.BodyPublishers.ofString(ASKED));
        assertEquals(200, send(admin, own).statusCode());
        String longName = "x".repeat(10_000);
        assertThrows(IOException.class, () -> login(client(), longName, "x"));
        assertEquals(404, send(admin, at("/" + longName)).statusCode());
    }

    @Test
    void anIdleSessionEnds() throws Exception {
        AtomicLong now = new AtomicLong();
        UserSessions sessions = new UserSessions(new Known(), now::get);
        DefaultHttpHeaders headers = new DefaultHttpHeaders();
        headers.set("Cookie", "__Host-oriel-studio-1=" + sessions.begin("ada", () -> Right.WRITE));
        assertEquals(Right.WRITE, sessions.right(headers, 1));
        now.addAndGet(11L * 3_600_000_000_000L);
        assertEquals(Right.WRITE, sessions.right(headers, 1));
        now.addAndGet(13L * 3_600_000_000_000L);
        assertEquals(Right.NONE, sessions.right(headers, 1));
        now.set(0);
        assertEquals(Right.NONE, sessions.right(headers, 1));
    }

    @Test
    void withoutUsersOnlyThisMachineIsServed() {
        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Studio.open(database, StudioOptions.defaults().withHost("0.0.0.0")));
        assertTrue(String.valueOf(refused.getMessage()).contains("give it users and TLS"));
    }

    @Test
    void aPersonLogsInAndOut() throws Exception {
        try (Chromium page = Chromium.open()) {
            assumeTrue(page != null, "skipped: there is no Chromium on the path");
            page.trustAll();
            page.go(studio.address().toString());
            page.await("document.activeElement.id === 'name'");
            assertEquals(List.of(), Axe.violations(page));
            page.type("till");
            page.focus("#password");
            page.type("wrong");
            page.press("Enter", ENTER, 0);
            page.await("document.getElementById('trouble').innerText.includes('wrong')");
            assertEquals(List.of(), Axe.violations(page));
            page.type("till");
            page.press("Enter", ENTER, 0);
            page.await("document.body.innerText.includes('Explore')");
            page.await("document.querySelector('#mode')?.checkVisibility()");
            page.await("document.querySelector('#logout').checkVisibility()");
            assertEquals(List.of(), Axe.violations(page));
            page.click("#logout");
            page.await("document.getElementById('password')");
            List<String> others =
                    page.messages.stream().filter(m -> !m.contains("(Forbidden)")).toList();
            assertEquals(List.of(), others);
        }
    }
}

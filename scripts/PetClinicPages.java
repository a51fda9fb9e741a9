import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Uses each page of a running spring-petclinic in a Chromium without a window, as a person would: it clicks with the
/// mouse, types with the keyboard, and reads the text that is shown. It drives the browser over its DevTools protocol.
///
///     java scripts/PetClinicPages.java ADDRESS [FOLDER]    FOLDER gets a picture of each page
public final class PetClinicPages implements AutoCloseable {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final Pattern NUMBER = Pattern.compile("^\\{\"id\":(\\d+)");
    private static final Pattern VALUE = Pattern.compile("\"value\":\"([A-Za-z0-9+/=]*)\"");
    private static final Pattern DATA = Pattern.compile("\"data\":\"([A-Za-z0-9+/=]*)\"");

    private final String address;
    private final Path pictures;
    private final Path profile = Files.createTempDirectory("clinic");
    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Integer, CompletableFuture<String>> waiting = new ConcurrentHashMap<>();

    /// Errors of scripts and of the pages' parts, such as a missing picture.
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    private int pages;

    private PetClinicPages(String address, Path pictures) throws Exception {
        this.address = address;
        this.pictures = pictures;
        process =
                new ProcessBuilder(
                                browser().toString(),
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-dev-shm-usage",
                                "--lang=en-US",
                                "--remote-debugging-port=0",
                                "--window-size=1200,1000",
                                "--user-data-dir=" + profile,
                                "about:blank")
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            socket =
                    client.newWebSocketBuilder()
                            .buildAsync(page(profile.resolve("DevToolsActivePort")), new Listener())
                            .get(1, TimeUnit.MINUTES);
            for (String domain : List.of("Page", "Runtime", "Log")) {
                ask(domain + ".enable", "{}");
            }
        } catch (Exception e) {
            end();
            throw e;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path pictures = arguments.length > 1 ? Files.createDirectories(Path.of(arguments[1])) : null;
        try (PetClinicPages clinic = new PetClinicPages(arguments[0], pictures)) {
            clinic.owners();
            clinic.pets();
            clinic.visits();
            clinic.vets();
            clinic.unaskedErrors();
            clinic.errors();
            System.out.println(clinic.pages + " pages used in a browser");
        }
    }

    private void owners() throws Exception {
        go("/");
        shows("Welcome");
        click("a[title='find owners']");
        shows("Find Owners");
        // Nobody has this name; the page says so, and keeps the form.
        type("#lastName", "Nobody");
        click("button[type=submit]");
        shows("has not been found");
        type("#lastName", "");
        click("button[type=submit]");
        shows("George Franklin");
        clickText("2");
        shows("Carlos Estaban");
        click("a[title='find owners']");
        shows("Find Owners");
        type("#lastName", "Davis");
        click("button[type=submit]");
        shows("Betty Davis");
        shows("Harold Davis");

        click("a[title='find owners']");
        shows("Find Owners");
        clickText("Add Owner");
        await("document.querySelector('#firstName')");
        click("button[type=submit]");
        showsTimes("must not be blank", 5);
        type("#firstName", "Zo\u00eb");
        type("#lastName", "O'Hara");
        type("#address", "1 Main Street");
        type("#city", "\u00dcr\u00fcmqi");
        type("#telephone", "12");
        click("button[type=submit]");
        shows("Telephone must be a 10-digit number");
        holds("#firstName", "Zo\u00eb");
        type("#telephone", "1234567890");
        click("button[type=submit]");
        shows("New Owner Created");
        shows("Zo\u00eb O'Hara");
        shows("\u00dcr\u00fcmqi");

        clickText("Edit Owner");
        holds("#lastName", "O'Hara");
        type("#city", "");
        click("button[type=submit]");
        shows("must not be blank");
        type("#city", "Newtown");
        click("button[type=submit]");
        shows("Owner Values Updated");
        shows("Newtown");
    }

    /// Goes on with the new owner.
    private void pets() throws Exception {
        clickText("Add New Pet");
        shows("New Pet");
        click("button[type=submit]");
        showsTimes("is required", 2);
        type("#name", "Rex");
        date("#birthDate", "01/02/2099");
        choose("#type", "dog");
        click("button[type=submit]");
        await("document.querySelector('.has-error #birthDate')");
        date("#birthDate", "01/02/2020");
        click("button[type=submit]");
        shows("New Pet has been Added");
        shows("Rex");
        shows("2020-01-02");
        shows("dog");

        clickText("Add New Pet");
        shows("New Pet");
        type("#name", "Rex");
        date("#birthDate", "03/04/2021");
        click("button[type=submit]");
        shows("is already in use");
        type("#name", "Tom");
        choose("#type", "cat");
        click("button[type=submit]");
        shows("Tom");
        shows("2021-03-04");

        clickText("Edit Pet");
        holds("#name", "Rex");
        holds("#birthDate", "2020-01-02");
        holds("#type", "dog");
        type("#name", "");
        click("button[type=submit]");
        shows("is required");
        type("#name", "Tom");
        click("button[type=submit]");
        shows("is already in use");
        type("#name", "Rexa");
        choose("#type", "lizard");
        click("button[type=submit]");
        shows("Pet details has been edited");
        shows("Rexa");
        shows("lizard");
    }

    private void visits() throws Exception {
        clickText("Add Visit");
        shows("New Visit");
        shows("Rexa");
        click("button[type=submit]");
        shows("must not be blank");
        date("#date", "05/06/2026");
        type("#description", "rabies <b>shot</b>");
        click("button[type=submit]");
        shows("Your visit has been booked");
        shows("rabies <b>shot</b>");
        shows("2026-05-06");
    }

    private void vets() throws Exception {
        click("a[title=veterinarians]");
        shows("James Carter");
        shows("radiology");
        clickText("2");
        shows("Sharon Jenkins");
        click("a[title=previous], a[title=Previous]");
        shows("James Carter");
    }

    /// Ends if a page has complained so far.
    private void unaskedErrors() {
        // The script of an owner's page hides two messages after three seconds, of which at most one is there.
        complaints.removeIf(each -> each.contains("reading 'style'"));
        if (!complaints.isEmpty()) {
            throw new AssertionError("The pages complain: " + complaints);
        }
    }

    private void errors() throws Exception {
        click("a[href='/oups']");
        shows("Something happened");
        shows("An internal server error occurred");
        go("/owners/999");
        shows("Something happened");
        go("/nothing");
        shows("The requested page was not found");
        clickText("HOME");
        shows("Welcome");
    }

    private void go(String path) throws Exception {
        ask("Page.navigate", "{\"url\":" + quoted(address + path) + "}");
        await("location.href === " + quoted(address + path) + " && document.readyState === 'complete'");
    }

    /// Clicks in the middle of the first element of a selector, and waits until the page has been left.
    private void click(String selector) throws Exception {
        clickAt("document.querySelector(" + quoted(selector) + ")");
    }

    /// Clicks on the first link of a text.
    private void clickText(String text) throws Exception {
        clickAt("[...document.links].find(a => a.innerText.trim() === " + quoted(text) + ")");
    }

    private void clickAt(String element) throws Exception {
        await("document.readyState === 'complete' && " + element);
        picture();
        run("window.stays = true");
        String middle =
                run("(() => { const e = " + element + "; e.scrollIntoView({block: 'center', behavior: 'instant'});"
                        + " const r = e.getBoundingClientRect();"
                        + " return (r.x + r.width / 2) + ',' + (r.y + r.height / 2) })()");
        String[] at = middle.split(",", -1);
        for (String type : List.of("mousePressed", "mouseReleased")) {
            ask(
                    "Input.dispatchMouseEvent",
                    "{\"type\":\"%s\",\"x\":%s,\"y\":%s,\"button\":\"left\",\"clickCount\":1}"
                            .formatted(type, at[0], at[1]));
        }
        await("!window.stays && document.readyState === 'complete'");
        pages++;
    }

    /// Types a text into a field in place of its old one.
    private void type(String selector, String text) throws Exception {
        String field = "document.querySelector(" + quoted(selector) + ")";
        run(field + ".focus(), " + field + ".select()");
        if (text.isEmpty()) {
            press("Backspace", 8);
        } else {
            ask("Input.insertText", "{\"text\":" + quoted(text) + "}");
        }
        holds(selector, text);
    }

    /// Types a date, month/day/year, into its field.
    private void date(String selector, String date) throws Exception {
        String field = "document.querySelector(" + quoted(selector) + ")";
        // Without the value, the keys begin with the month.
        run(field + ".value = '', " + field + ".blur(), " + field + ".focus()");
        for (char c : date.replace("/", "").toCharArray()) {
            ask("Input.dispatchKeyEvent", "{\"type\":\"char\",\"text\":\"" + c + "\"}");
        }
        String[] parts = date.split("/", -1);
        holds(selector, parts[2] + "-" + parts[0] + "-" + parts[1]);
    }

    /// Chooses an option by its first letters.
    private void choose(String selector, String option) throws Exception {
        run("document.querySelector(" + quoted(selector) + ").focus()");
        for (char c : option.toCharArray()) {
            ask(
                    "Input.dispatchKeyEvent",
                    "{\"type\":\"keyDown\",\"text\":\"%s\",\"key\":\"%s\"}".formatted(c, c));
            ask("Input.dispatchKeyEvent", "{\"type\":\"keyUp\",\"key\":\"%s\"}".formatted(c));
        }
        holds(selector, option);
    }

    private void press(String key, int code) throws Exception {
        for (String type : List.of("rawKeyDown", "keyUp")) {
            ask(
                    "Input.dispatchKeyEvent",
                    "{\"type\":\"%s\",\"key\":\"%s\",\"code\":\"%s\",\"windowsVirtualKeyCode\":%d}"
                            .formatted(type, key, key, code));
        }
    }

    private void holds(String selector, String value) throws Exception {
        await("document.querySelector(" + quoted(selector) + ").value === " + quoted(value));
    }

    private void shows(String text) throws Exception {
        await("document.body.innerText.includes(" + quoted(text) + ")");
    }

    private void showsTimes(String text, int times) throws Exception {
        await("document.body.innerText.split(" + quoted(text) + ").length === " + (times + 1));
    }

    /// Waits until an expression is true; one that throws is not yet.
    private void await(String script) throws Exception {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        String asked = "(() => { try { return !!(" + script + "); } catch { return false; } })()";
        while (!run(asked).equals("true")) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(
                        "%s stays false at %s: %s %s"
                                .formatted(
                                        script,
                                        run("location.href"),
                                        run("document.body.innerText"),
                                        complaints));
            }
            TimeUnit.MILLISECONDS.sleep(30);
        }
    }

    /// The value of an expression as text. It comes in Base64, so that no JSON has to be parsed.
    private String run(String script) throws Exception {
        String text = "btoa(String.fromCharCode(...new TextEncoder().encode(String(" + script + "))))";
        String answer = ask("Runtime.evaluate", "{\"expression\":" + quoted(text) + "}");
        Matcher value = VALUE.matcher(answer);
        // A page that is just being left has no values.
        return value.find()
                ? new String(Base64.getDecoder().decode(value.group(1)), StandardCharsets.UTF_8)
                : "";
    }

    private void picture() throws Exception {
        if (pictures != null) {
            Matcher png = DATA.matcher(ask("Page.captureScreenshot", "{\"format\":\"png\"}"));
            if (png.find()) {
                byte[] image = Base64.getDecoder().decode(png.group(1));
                Files.write(pictures.resolve("%02d.png".formatted(pages)), image);
            }
        }
    }

    private String ask(String method, String parameters) throws Exception {
        int number = numbers.incrementAndGet();
        CompletableFuture<String> answer = new CompletableFuture<>();
        waiting.put(number, answer);
        String message = "{\"id\":%d,\"method\":\"%s\",\"params\":%s}".formatted(number, method, parameters);
        socket.sendText(message, true).get(1, TimeUnit.MINUTES);
        return answer.get(1, TimeUnit.MINUTES);
    }

    /// A text of JavaScript and JSON.
    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                quoted.append("\\u").append(HexFormat.of().toHexDigits(c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    private static Path browser() {
        for (String place : System.getenv("PATH").split(File.pathSeparator, -1)) {
            for (String name : NAMES) {
                Path program = Path.of(place, name);
                if (Files.isExecutable(program)) {
                    return program;
                }
            }
        }
        throw new IllegalStateException("There is no Chromium on the PATH; install one.");
    }

    /// Address of the first page's socket.
    private URI page(Path portFile) throws IOException, InterruptedException {
        Pattern target = Pattern.compile("\"type\": \"page\"[^}]*\"webSocketDebuggerUrl\": \"([^\"]+)\"");
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() < deadline && process.isAlive()) {
            List<String> lines = Files.exists(portFile) ? Files.readAllLines(portFile) : List.of();
            if (lines.size() > 1) {
                URI list = URI.create("http://127.0.0.1:" + lines.getFirst() + "/json");
                HttpRequest request = HttpRequest.newBuilder(list).build();
                Matcher found = target.matcher(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
                if (found.find()) {
                    return URI.create(found.group(1));
                }
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new IOException("Chromium has not opened a page; start it by hand to see why.");
    }

    @Override
    public void close() throws IOException {
        socket.abort();
        end();
    }

    private void end() throws IOException {
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(each -> each.onExit().join());
        try (Stream<Path> files = Files.walk(profile)) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
        }
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                String message = text.toString();
                text.setLength(0);
                Matcher number = NUMBER.matcher(message);
                if (number.find()) {
                    CompletableFuture<String> answer = waiting.remove(Integer.valueOf(number.group(1)));
                    if (answer != null) {
                        answer.complete(message);
                    }
                } else if (message.contains("\"Runtime.exceptionThrown\"")
                        || message.contains("\"level\":\"error\"")) {
                    complaints.add(message);
                }
            }
            webSocket.request(1);
            return null;
        }
    }
}

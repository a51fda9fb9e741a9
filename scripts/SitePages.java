import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Makes the pages of the site from the repository's documents: `java scripts/SitePages.java TARGET [ADDRESS]`.
///
/// Links between documents lead to their pages. Links to other files lead to ADDRESS followed by the path of the file;
/// without an address they become plain text. The generator reads Markdown more strictly than the repository's pages
/// do, so blank lines are added around lists, tables and code, and inner lists are indented by four blanks.
public final class SitePages {
    private static final Pattern LINK = Pattern.compile("(!?)\\[((?:[^\\[\\]]|\\[[^\\]]*\\])*)\\]\\(([^)\\s]+)\\)");
    private static final Pattern ABSOLUTE = Pattern.compile("[a-z]+:.*");
    private static final Pattern SPAN = Pattern.compile("`[^`\n]*`");
    private static final Pattern ITEM = Pattern.compile("( *)(- |\\d+\\. )(.*)");
    private static final Pattern DECISION = Pattern.compile("adr/\\d+-.*");

    /// Keeps a page out of the search: decisions would hide the guides; their titles are found in their index.
    private static final String UNSEARCHED = "---\nsearch:\n  exclude: true\n---\n\n";

    private static final Pattern FENCE = Pattern.compile("```.*");

    /// Pages by the path of their document in the repository, with slashes.
    private final Map<String, String> pages = new TreeMap<>();

    private final Path root;
    private final String address;
    private int unlinked;

    private SitePages(Path root, String address) {
        this.root = root;
        this.address = address.isEmpty() || address.endsWith("/") ? address : address + "/";
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 1 || arguments.length > 2) {
            System.err.println("Give a folder for the pages, and perhaps the address of the repository's files.");
            System.exit(2);
        }
        SitePages site = new SitePages(Path.of(""), arguments.length == 2 ? arguments[1] : "");
        site.write(Path.of(arguments[0]));
    }

    private void write(Path target) throws IOException {
        for (String document : List.of("ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "SECURITY")) {
            pages.put(document + ".md", document.toLowerCase(java.util.Locale.ROOT) + ".md");
        }
        pages.put("README.md", "index.md");
        List<Path> files;
        try (Stream<Path> found = Files.walk(root.resolve("docs"))) {
            files = found.filter(Files::isRegularFile).sorted().toList();
        }
        List<Path> pictures = new ArrayList<>();
        for (Path file : files) {
            String path = slashed(file);
            if (path.endsWith(".md")) {
                pages.put(path, page(path.substring("docs/".length())));
            } else if (path.endsWith(".png")) {
                pictures.add(file);
            }
        }
        for (Map.Entry<String, String> entry : pages.entrySet()) {
            Path page = target.resolve(entry.getValue());
            Files.createDirectories(page.getParent());
            String text = Files.readString(root.resolve(entry.getKey()));
            String head = DECISION.matcher(entry.getValue()).matches() ? UNSEARCHED : "";
            Files.writeString(page, head + blocks(linked(entry.getKey(), text)));
        }
        for (Path picture : pictures) {
            Path copy = target.resolve(slashed(picture).substring("docs/".length()));
            Files.createDirectories(copy.getParent());
            Files.copy(picture, copy);
        }
        System.out.println(pages.size() + " pages, " + pictures.size() + " pictures");
        if (unlinked > 0) {
            System.out.println(
                    unlinked + " links to sources are plain text: no address of the repository was given");
        }
    }

    private String slashed(Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }

    private static String page(String document) {
        return switch (document) {
            case "README.md" -> "documents.md";
            case "adr/README.md" -> "adr/index.md";
            default -> document;
        };
    }

    /// The text with its links as the site needs them; code keeps its brackets.
    private String linked(String document, String text) throws IOException {
        StringBuilder out = new StringBuilder();
        boolean code = false;
        for (String line : text.split("\n", -1)) {
            boolean fence = FENCE.matcher(line).matches();
            out.append(code || fence ? line : linkedLine(document, line)).append('\n');
            code ^= fence;
        }
        out.setLength(out.length() - 1);
        return out.toString();
    }

    private String linkedLine(String document, String line) throws IOException {
        List<MatchResult> spans = SPAN.matcher(line).results().toList();
        StringBuilder out = new StringBuilder();
        Matcher links = LINK.matcher(line);
        int after = 0;
        while (links.find()) {
            int begin = links.start();
            boolean code = spans.stream().anyMatch(span -> span.start() < begin && begin < span.end());
            if (!code && !ABSOLUTE.matcher(links.group(3)).matches()) {
                out.append(line, after, begin);
                out.append(link(document, links.group(1), links.group(2), links.group(3)));
                after = links.end();
            }
        }
        return out.append(line, after, line.length()).toString();
    }

    private String link(String document, String mark, String text, String to) throws IOException {
        int hash = to.indexOf('#');
        String file = hash < 0 ? to : to.substring(0, hash);
        String anchor = hash < 0 ? "" : to.substring(hash);
        if (file.isEmpty()) {
            return mark + "[" + text + "](" + to + ")";
        }
        Path parent = Path.of(document).getParent();
        Path path = (parent == null ? Path.of(file) : parent.resolve(file)).normalize();
        String target = path.toString().replace('\\', '/');
        if (!Files.exists(root.resolve(path))) {
            throw new IOException(document + ": " + to + " leads to no file.");
        }
        if (Files.isDirectory(root.resolve(path)) && pages.containsKey(target + "/README.md")) {
            target += "/README.md";
        }
        String page = pages.get(target);
        if (page == null && !mark.isEmpty()) {
            page = target.substring("docs/".length()); // a picture
        }
        if (page != null) {
            Path from = Path.of("/" + pages.get(document)).getParent();
            String relative = from.relativize(Path.of("/" + page)).toString().replace('\\', '/');
            return mark + "[" + text + "](" + relative + anchor + ")";
        }
        if (address.isEmpty()) {
            unlinked++;
            return text;
        }
        return "[" + text + "](" + address + target + anchor + ")";
    }

    /// The text with blank lines between blocks, and inner lists indented by four blanks for each level.
    private static String blocks(String text) {
        StringBuilder out = new StringBuilder();
        Kind before = Kind.BLANK;
        boolean code = false;
        for (String line : text.split("\n", -1)) {
            if (code) {
                code = !FENCE.matcher(line).matches();
                out.append(line).append('\n');
                before = Kind.CODE;
                continue;
            }
            Kind kind = kind(line, before);
            boolean apart = kind != before && (kind != Kind.PROSE || before != Kind.HEADING);
            if (apart && kind != Kind.BLANK && before != Kind.BLANK && kind != Kind.MORE) {
                out.append('\n');
            }
            code = kind == Kind.CODE;
            out.append(formed(line, kind)).append('\n');
            before = kind == Kind.MORE ? before : kind;
        }
        out.setLength(out.length() - 1);
        return out.toString();
    }

    /// Kinds of lines; MORE goes on with an item of a list or with prose.
    private enum Kind {
        BLANK,
        PROSE,
        HEADING,
        ITEM,
        TABLE,
        CODE,
        MORE
    }

    private static Kind kind(String line, Kind before) {
        if (line.isBlank()) {
            return Kind.BLANK;
        }
        if (FENCE.matcher(line).matches()) {
            return Kind.CODE;
        }
        if (line.startsWith("|")) {
            return Kind.TABLE;
        }
        if (line.startsWith("#")) {
            return Kind.HEADING;
        }
        if (ITEM.matcher(line).matches()) {
            return Kind.ITEM;
        }
        return before == Kind.ITEM && line.startsWith(" ") ? Kind.MORE : Kind.PROSE;
    }

    private static String formed(String line, Kind kind) {
        return switch (kind) {
            case ITEM -> {
                Matcher item = ITEM.matcher(line);
                boolean matches = item.matches();
                assert matches;
                yield "    ".repeat((item.group(1).length() + 1) / 2) + item.group(2) + item.group(3);
            }
            // A bar within code needs no backslash here, and would show it.
            case TABLE -> SPAN.matcher(line).replaceAll(span -> bare(span.group()));
            default -> line;
        };
    }

    private static String bare(String code) {
        return Matcher.quoteReplacement(code.replace("\\|", "|"));
    }
}

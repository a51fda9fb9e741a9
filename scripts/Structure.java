import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Counts the structure of the source: code lines and long files by module, and the largest circles of types that
/// refer to each other within a package. Nested types count as part of the type that they are in. It reads the
/// sources and the compiled classes of the checkout: `java scripts/Structure.java`, after a build.
public final class Structure {
    private static final int LONG_FILE_LINES = 400;
    private static final int CIRCLES_SHOWN = 12;
    private static final Pattern TYPE = Pattern.compile("dev/oriel/[\\w/]+");

    private Structure() {}

    public static void main(String[] arguments) throws IOException {
        System.out.println("module            files  code lines  files over " + LONG_FILE_LINES);
        int[] all = new int[3];
        Map<String, Set<String>> references = new TreeMap<>();
        for (Path module : modules()) {
            int[] counts = counts(module.resolve("src/main/java"));
            System.out.printf(
                    "%-15s %7d %11d %9d%n", module, counts[0], counts[1], counts[2]);
            for (int i = 0; i < all.length; i++) {
                all[i] += counts[i];
            }
            for (Path file : files(classes(module).resolve("dev"), ".class")) {
                read(ClassFile.of().parse(Files.readAllBytes(file)), references);
            }
        }
        System.out.printf("%-15s %7d %11d %9d%n%n", "all", all[0], all[1], all[2]);
        System.out.println("largest circles of types within a package");
        circles(references).stream()
                .sorted(Comparator.comparingInt(circle -> -circle.size()))
                .limit(CIRCLES_SHOWN)
                .forEach(
                        circle ->
                                System.out.printf(
                                        "%4d of %s: %s%n",
                                        circle.size(),
                                        packageOf(circle.getFirst()).replace('/', '.'),
                                        String.join(" ", names(circle))));
    }

    private static List<Path> modules() throws IOException {
        try (Stream<Path> folders = Files.list(Path.of("."))) {
            return folders.map(Path.of(".")::relativize)
                    .filter(folder -> Files.isDirectory(folder.resolve("src/main/java")))
                    .sorted()
                    .toList();
        }
    }

    private static Path classes(Path module) {
        Path built = module.resolve("target/classes");
        return Files.isDirectory(built) ? built : module.resolve("target/quick/classes");
    }

    private static List<Path> files(Path folder, String end) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(end)).sorted().toList();
        }
    }

    /// The number of files, of their lines that are neither blank nor comments, and of long files.
    private static int[] counts(Path sources) throws IOException {
        int[] counts = new int[3];
        for (Path file : files(sources, ".java")) {
            List<String> lines = Files.readAllLines(file);
            counts[0]++;
            counts[1] += (int) lines.stream().filter(Structure::isCode).count();
            counts[2] += lines.size() > LONG_FILE_LINES ? 1 : 0;
        }
        return counts;
    }

    private static boolean isCode(String line) {
        String text = line.strip();
        return !text.isEmpty() && !text.startsWith("//") && !text.startsWith("*");
    }

    /// Adds the types of its own package that a class names.
    private static void read(ClassModel model, Map<String, Set<String>> references) {
        String own = outermost(model.thisClass().asInternalName());
        Set<String> named = references.computeIfAbsent(own, type -> new TreeSet<>());
        for (PoolEntry entry : model.constantPool()) {
            String text =
                    switch (entry) {
                        case ClassEntry type -> type.asInternalName();
                        case Utf8Entry descriptor when descriptor.stringValue().contains(";") ->
                                descriptor.stringValue();
                        default -> "";
                    };
            for (Matcher found = TYPE.matcher(text); found.find(); ) {
                String other = outermost(found.group());
                if (!other.equals(own) && packageOf(other).equals(packageOf(own))) {
                    named.add(other);
                }
            }
        }
    }

    private static String outermost(String type) {
        int nested = type.indexOf('$');
        return nested < 0 ? type : type.substring(0, nested);
    }

    private static String packageOf(String type) {
        return type.substring(0, type.lastIndexOf('/'));
    }

    private static List<String> names(List<String> types) {
        return types.stream().map(type -> type.substring(type.lastIndexOf('/') + 1)).sorted().toList();
    }

    /// The strongly connected components of more than one type, by Tarjan's algorithm.
    private static List<List<String>> circles(Map<String, Set<String>> references) {
        Map<String, Integer> order = new HashMap<>();
        Map<String, Integer> low = new HashMap<>();
        Deque<String> open = new ArrayDeque<>();
        List<List<String>> found = new ArrayList<>();
        for (String type : references.keySet()) {
            visit(type, references, order, low, open, found);
        }
        return found;
    }

    private static void visit(
            String type,
            Map<String, Set<String>> references,
            Map<String, Integer> order,
            Map<String, Integer> low,
            Deque<String> open,
            List<List<String>> found) {
        if (order.containsKey(type)) {
            return;
        }
        order.put(type, order.size());
        low.put(type, order.get(type));
        open.push(type);
        for (String other : references.getOrDefault(type, Set.of())) {
            if (!order.containsKey(other)) {
                visit(other, references, order, low, open, found);
                low.merge(type, low.get(other), Math::min);
            } else if (open.contains(other)) {
                low.merge(type, order.get(other), Math::min);
            }
        }
        if (low.get(type).equals(order.get(type))) {
            List<String> circle = new ArrayList<>();
            String last;
            do {
                last = open.pop();
                circle.add(last);
            } while (!last.equals(type));
            if (circle.size() > 1) {
                found.add(circle);
            }
        }
    }
}

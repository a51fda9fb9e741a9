package dev.oriel.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.oriel.Incubating;
import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The public API of the artifact `oriel`, in one file, so that a change of it is seen and meant:
/// `cli/src/test/resources/arch/api.txt`. Run with `-Dupdate=true` to write it anew.
class ApiTest {
    private static final String LIST = "cli/src/test/resources/arch/api.txt";

    /// Packages of which every public type is API.
    private static final List<String> PACKAGES = List.of("dev.oriel", "dev.oriel.kv");

    /// Types of the store and its files that the API names.
    private static final Set<String> BELOW =
            Set.of(
                    "dev.oriel.io.FileAccess",
                    "dev.oriel.io.FileMode",
                    "dev.oriel.store.ClosedException",
                    "dev.oriel.store.ConflictException",
                    "dev.oriel.store.CorruptionException",
                    "dev.oriel.store.DatabaseException",
                    "dev.oriel.store.Durability",
                    "dev.oriel.store.Isolation",
                    "dev.oriel.store.LimitException",
                    "dev.oriel.store.PageReads",
                    "dev.oriel.store.Progress",
                    "dev.oriel.store.RecoveryFigures",
                    "dev.oriel.store.Slice",
                    "dev.oriel.store.StorageException",
                    "dev.oriel.store.StoreStats",
                    "dev.oriel.store.UsageException");

    /// Public for other modules of ours, which a user need not know. The list may only become shorter.
    private static final Set<String> GLUE =
            Set.of("dev.oriel.kv.Buckets", "dev.oriel.kv.Joined", "dev.oriel.kv.BucketSession");

    private static final int TYPES_MAX = 42;
    private static final Pattern OURS = Pattern.compile("dev\\.oriel\\.[\\w.]+\\w");

    private final List<Class<?>> types = new ArrayList<>();

    ApiTest() throws ClassNotFoundException {
        Set<String> names = new TreeSet<>(BELOW);
        for (JavaClass type :
                new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages(PACKAGES)) {
            if (PACKAGES.contains(type.getPackageName())) {
                names.add(type.getName());
            }
        }
        for (String name : names) {
            Class<?> type = Class.forName(name);
            if (isPublic(type)) {
                types.add(type);
            }
        }
        types.sort(Comparator.comparing(Class::getName));
    }

    private static boolean isPublic(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && (type.getEnclosingClass() == null || isPublic(type.getEnclosingClass()));
    }

    @Test
    void everyMemberIsListed() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Class<?> type : types) {
            lines.add(head(type));
            members(type).stream()
                    .map(member -> "    " + text(member))
                    .sorted()
                    .forEach(lines::add);
        }
        Path list = SourceTree.root().resolve(LIST);
        if (Boolean.getBoolean("update")) {
            Files.write(list, lines);
        }
        assertEquals(
                String.join("\n", Files.readAllLines(list)),
                String.join("\n", lines),
                "the API has changed; if it should, -Dupdate=true");
    }

    @Test
    void typesAreFew() {
        long top = types.stream().filter(type -> type.getEnclosingClass() == null).count();
        assertTrue(top <= TYPES_MAX, () -> top + " public types");
    }

    @Test
    void noSignatureNamesAnInternalType() {
        Set<String> known = new TreeSet<>();
        types.forEach(type -> known.add(type.getName()));
        List<String> leaks = new ArrayList<>();
        for (Class<?> type : types) {
            if (GLUE.contains(type.getName())) {
                continue;
            }
            List<String> signatures = new ArrayList<>(List.of(head(type)));
            members(type).forEach(member -> signatures.add(text(member)));
            for (String signature : signatures) {
                Matcher named = OURS.matcher(signature);
                while (named.find()) {
                    String name = named.group();
                    boolean own =
                            name.equals(type.getName()) || name.startsWith(type.getName() + ".");
                    if (!own && !known.contains(name)) {
                        leaks.add(signature + ": " + name);
                    }
                }
            }
        }
        assertEquals(List.of(), leaks);
    }

    /// The type with its type parameters, its superclass and its interfaces.
    private static String head(Class<?> type) {
        List<String> above = new ArrayList<>();
        if (type.getGenericSuperclass() != null) {
            above.add(type.getGenericSuperclass().getTypeName());
        }
        Arrays.stream(type.getGenericInterfaces()).map(Type::getTypeName).forEach(above::add);
        return type.toGenericString() + " : " + String.join(", ", above) + incubating(type);
    }

    private static List<AnnotatedElement> members(Class<?> type) {
        List<AnnotatedElement> members = new ArrayList<>();
        for (Constructor<?> each : type.getDeclaredConstructors()) {
            addIfSeen(members, each, each.getModifiers(), each.isSynthetic());
        }
        for (Method each : type.getDeclaredMethods()) {
            addIfSeen(members, each, each.getModifiers(), each.isSynthetic() || each.isBridge());
        }
        for (Field each : type.getDeclaredFields()) {
            addIfSeen(members, each, each.getModifiers(), each.isSynthetic());
        }
        return members;
    }

    private static void addIfSeen(
            List<AnnotatedElement> members, AnnotatedElement member, int modifiers, boolean made) {
        if (!made && (Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers))) {
            members.add(member);
        }
    }

    private static String text(AnnotatedElement member) {
        String signature =
                switch (member) {
                    case Executable method -> method.toGenericString();
                    case Field field -> field.toGenericString();
                    default -> Arrays.toString(member.getAnnotations());
                };
        return signature + incubating(member);
    }

    /// The mark of young API, so that its end is seen as a change too.
    private static String incubating(AnnotatedElement of) {
        return of.isAnnotationPresent(Incubating.class) ? " @Incubating" : "";
    }
}

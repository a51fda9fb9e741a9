package dev.oriel.bench;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Facts about products from the class path.
public final class Jars {
    private Jars() {}

    /// The version in the name of the jar of `artifact`, without loading a class of it.
    public static String version(String artifact) {
        Pattern name = Pattern.compile(Pattern.quote(artifact) + "-(\\d.*)\\.jar");
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Matcher matcher = name.matcher(new File(entry).getName());
            if (matcher.matches()) {
                return matcher.group(1);
            }
        }
        return "(version unknown: not run from its jar)";
    }

    /// The jars or folders that `classes` come from; loads them, but initializes none.
    public static List<Path> of(Collection<String> classes) throws ClassNotFoundException {
        Set<Path> jars = new LinkedHashSet<>();
        for (String name : classes) {
            jars.add(of(Class.forName(name, false, Jars.class.getClassLoader())));
        }
        return new ArrayList<>(jars);
    }

    /// The jar or folder that a class comes from.
    public static Path of(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            return Path.of(source.getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("A class path entry is no path: " + source, e);
        }
    }
}

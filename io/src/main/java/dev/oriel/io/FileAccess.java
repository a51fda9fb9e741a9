package dev.oriel.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Files that statements may read and write. A database's own files are refused in every mode.
///
/// A path is resolved before it is checked: links, `..`, and letter case on a case-insensitive file system. The
/// resolved path is opened without following a link as its last component, in case it was replaced by one.
///
/// @param folders for [Mode#FOLDER]: the allowed folders; relative names resolve against the first. Empty for the
///     folder `files` in the database's folder
public record FileAccess(Mode mode, List<Path> folders) {
    /// Extent of the access.
    public enum Mode {
        /// [#ALL] for users who may write in the database, [#FOLDER] for users who only read it.
        USUAL,
        NONE,
        FOLDER,
        ALL
    }

    public static final FileAccess USUAL = new FileAccess(Mode.USUAL, List.of());
    public static final FileAccess NONE = new FileAccess(Mode.NONE, List.of());
    public static final FileAccess FOLDER = new FileAccess(Mode.FOLDER, List.of());
    public static final FileAccess ALL = new FileAccess(Mode.ALL, List.of());

    /// Name of the folder for exchanged files within that of a database.
    public static final String EXCHANGE = "files";

    private static final String NAMED = "folder:";

    /// Greatest number of links that are followed, as in Linux.
    private static final int LINKS_MAX = 40;

    public FileAccess {
        folders = List.copyOf(folders);
    }

    /// Reads `none`, `folder`, `folder:PATH,PATH` or `all`.
    ///
    /// @throws IllegalArgumentException if it is none of these
    public static FileAccess parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "none" -> NONE;
            case "folder" -> FOLDER;
            case "all" -> ALL;
            default -> ofFolders(text);
        };
    }

    private static FileAccess ofFolders(String text) {
        String paths =
                text.regionMatches(true, 0, NAMED, 0, NAMED.length())
                        ? text.substring(NAMED.length())
                        : "";
        String[] parts = paths.split(",", -1);
        if (Arrays.stream(parts).anyMatch(String::isBlank)) {
            throw new IllegalArgumentException(
                    "fileAccess is none, folder, folder:PATH,PATH or all, not '" + text + "'");
        }
        return new FileAccess(
                Mode.FOLDER, Arrays.stream(parts).map(part -> Path.of(part.strip())).toList());
    }

    /// This access for a handle of the database in `folder`, which is null for one in memory.
    public FileAccess of(@Nullable Path folder, boolean readOnly) {
        if (mode == Mode.USUAL) {
            return (readOnly ? FOLDER : ALL).of(folder, readOnly);
        }
        return mode == Mode.FOLDER && folders.isEmpty() && folder != null
                ? new FileAccess(mode, List.of(folder.resolve(EXCHANGE)))
                : this;
    }

    /// The real path of `file`, which need not exist. A pipe or a device keeps its name.
    ///
    /// @throws FileRefusedException if it may be neither read nor written
    public Path locate(Path file) throws IOException {
        if (mode == Mode.NONE || (mode == Mode.FOLDER && folders.isEmpty())) {
            throw new FileRefusedException(
                    mode == Mode.NONE
                            ? "statements may use no files; fileAccess=folder or fileAccess=all"
                                    + " allows them"
                            : "a database in memory has no folder for files;"
                                    + " fileAccess=folder:PATH names one");
        }
        Path asked = mode == Mode.FOLDER ? folders.getFirst().resolve(file) : file;
        boolean there = Files.exists(asked);
        if (there && !Files.isRegularFile(asked)) {
            if (mode == Mode.FOLDER) {
                throw new FileRefusedException(
                        "it is not a regular file; fileAccess=all allows pipes and devices");
            }
            return asked;
        }
        Path real = there ? asked.toRealPath() : realOfAbsent(asked);
        if (OpenFolders.own(real)) {
            throw new FileRefusedException(
                    "it belongs to a database; name a file outside of the database's folder");
        }
        if (mode == Mode.FOLDER && !within(real)) {
            throw new FileRefusedException(
                    "it is outside of "
                            + folders.stream().map(Path::toString).collect(Collectors.joining(", "))
                            + "; make that folder and use files in it, or open the database with"
                            + " another fileAccess");
        }
        return real;
    }

    private boolean within(Path real) throws IOException {
        for (Path folder : folders) {
            if (Files.isDirectory(folder)) {
                Path root = folder.toRealPath();
                if (real.startsWith(root) && !real.equals(root)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// The real path of an absent file, with its links resolved.
    private static Path realOfAbsent(Path asked) throws IOException {
        Path target = asked;
        for (int links = 0; Files.isSymbolicLink(target); links++) {
            if (links == LINKS_MAX) {
                throw new FileSystemLoopException(asked.toString());
            }
            target = target.resolveSibling(Files.readSymbolicLink(target));
        }
        Path parent = target.toAbsolutePath().getParent();
        Path name = target.getFileName();
        if (parent == null || name == null || name.toString().equals("..")) {
            throw new NoSuchFileException(asked.toString());
        }
        return parent.toRealPath().resolve(name);
    }

    /// Opens the path returned by [#locate].
    public InputStream open(Path located) throws IOException {
        return mode == Mode.ALL && !Files.isRegularFile(located, LinkOption.NOFOLLOW_LINKS)
                ? Files.newInputStream(located)
                : Files.newInputStream(located, LinkOption.NOFOLLOW_LINKS);
    }
}

package dev.oriel.server;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// The reason that a file of the server's options cannot be read, in words, with the remedy.
public final class UnreadableFile {
    private UnreadableFile() {}

    /// The reason that reading `file` has failed.
    ///
    /// @param cause the failure of reading `file`
    public static String reason(Path file, IOException cause) {
        if (Files.isDirectory(file)) {
            return "it is a folder; name a file";
        }
        return switch (cause) {
            case NoSuchFileException _ -> "there is no such file; correct the path";
            case AccessDeniedException _ ->
                    "the user %s may not read it; change its owner or its mode"
                            .formatted(System.getProperty("user.name"));
            case CharacterCodingException _ -> "it is not text in UTF-8; write it anew";
            default -> String.valueOf(cause.getMessage());
        };
    }
}

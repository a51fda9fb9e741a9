package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.UsageException;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UnreadableFileTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void eachReasonHasItsRemedy() {
        Path file = folder.resolve("f");
        assertEquals(
                "there is no such file; correct the path",
                UnreadableFile.reason(file, new NoSuchFileException("f")));
        assertTrue(
                UnreadableFile.reason(file, new AccessDeniedException("f"))
                        .endsWith(" may not read it; change its owner or its mode"));
        assertEquals(
                "it is not text in UTF-8; write it anew",
                UnreadableFile.reason(file, new MalformedInputException(1)));
        assertEquals(
                "it is a folder; name a file",
                UnreadableFile.reason(folder, new IOException("Is a directory")));
        assertEquals("broken", UnreadableFile.reason(file, new IOException("broken")));
    }

    private static String refused(Path chain, Path key) {
        Certificate certificate = new Certificate(chain, key, new ServerLog(null));
        return assertThrows(UsageException.class, certificate::read).toString();
    }

    @Test
    void theFilesOfTlsAreToldApart() throws Exception {
        Path text = Files.writeString(folder.resolve("text"), "nothing");
        Path gone = folder.resolve("gone");
        String missing = refused(gone, gone);
        assertTrue(missing.contains("The certificate cannot be read"), missing);
        assertTrue(missing.contains("certificate=" + gone + " reason=there is no such"), missing);
        String isFolder = refused(folder, text);
        assertTrue(isFolder.contains("it is a folder"), isFolder);
        String form = refused(text, gone);
        assertTrue(form.contains("The certificate is not in PEM"), form);
        String key = assertThrows(UsageException.class, () -> Certificate.readKey(gone)).toString();
        assertTrue(key.contains("The private key cannot be read"), key);
        assertTrue(key.contains("key=" + gone + " reason=there is no such file"), key);
        String keyForm =
                assertThrows(UsageException.class, () -> Certificate.readKey(text)).toString();
        assertTrue(keyForm.contains("The private key is not usable"), keyForm);
        assertTrue(keyForm.contains("There is no private key in PEM"), keyForm);
    }
}

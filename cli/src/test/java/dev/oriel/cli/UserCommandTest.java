package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `oriel user`: adding, granting, listing and dropping, and what is said of mistakes.
class UserCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private String db = "";

    @BeforeEach
    void makeDatabase() {
        db = folder.resolve("db").toString();
        assertEquals(0, Run.oriel(folder, "SELECT 1;", "sql", "--create", db).exitCode());
    }

    private void fine(String in, String... words) {
        Run run = Run.oriel(folder, in, words);
        assertEquals(0, run.exitCode(), run.err());
    }

    private void fails(String why, String in, String... words) {
        Run run = Run.oriel(folder, in, words);
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains(why), run.err());
    }

    @Test
    void aFolderWithoutADatabaseStaysAsItIs() throws Exception {
        Path other = Files.createDirectory(folder.resolve("other"));
        fails("there is no database in " + other, "", "user", "list", other.toString());
        try (Stream<Path> made = Files.list(other)) {
            assertEquals(0, made.count());
        }
    }

    /// The unit for systemd and the image say so: first a user, then the server.
    @Test
    void theFirstUserMakesTheDatabase() throws Exception {
        for (String name : new String[] {"missing", "empty"}) {
            Path fresh = folder.resolve(name);
            if (name.equals("empty")) {
                Files.createDirectory(fresh);
            }
            fine("secret\n", "user", "add", fresh.toString(), "ada", "--grant", "*=admin");
            Run listed = Run.oriel(folder, "", "user", "list", fresh.toString());
            assertEquals("ada *=admin\n", listed.out());
        }
        Path other = Files.createDirectory(folder.resolve("others"));
        Files.writeString(other.resolve("letter"), "dear");
        fails("something else is", "secret\n", "user", "add", other.toString(), "ada");
        assertEquals(1, files(other));
    }

    private static long files(Path of) throws Exception {
        try (Stream<Path> all = Files.list(of)) {
            return all.count();
        }
    }

    @Test
    void aPasswordThatIsGuessedSoonIsRefused() {
        fails("a password has at least 4 characters", "abc\n", "user", "add", db, "ada");
    }

    private String list() {
        return Run.oriel(folder, "", "user", "list", db).out();
    }

    @Test
    void usersAreAddedGrantedListedAndDropped() throws Exception {
        assertEquals("", list());
        fine("secret\n", "user", "add", db, "till", "--grant", "Orders=write,prices=READ");
        Path file = Files.writeString(folder.resolve("password"), "other\n");
        fine(
                "",
                "user",
                "add",
                db,
                "ada",
                "--grant",
                "*=admin",
                "--password-file",
                file.toString());
        assertEquals("ada *=admin\ntill orders=write prices=read\n", list());
        fine("", "user", "grant", db, "till", "stock=read", "prices=write");
        fine("", "user", "revoke", db, "till", "orders");
        assertEquals("ada *=admin\ntill prices=write stock=read\n", list());
        fine("newer\n", "user", "password", db, "ada");
        fine("", "user", "drop", db, "ada");
        fine("", "user", "revoke", db, "till", "stock", "prices");
        assertEquals("till\n", list());
    }

    @Test
    void mistakesAreNamed() {
        fails("there is no password", "", "user", "add", db, "ada");
        fails(
                "a right is BUCKET=ROLE with the role read, write or admin, and not a=own",
                "secret\n",
                "user",
                "add",
                db,
                "ada",
                "--grant",
                "a=own");
        fails("There is no user of that name: name=ada", "", "user", "drop", db, "ada");
        fine("secret\n", "user", "add", db, "ada");
        fails("There is a user of that name", "secret\n", "user", "add", db, "ada");
        fails("nothing was granted to ada on a", "", "user", "revoke", db, "ada", "a");
        fails("there is no database in", "", "user", "list", folder.resolve("none").toString());
    }

    @Test
    void aPasswordThatIsNotUtf8IsRefused() {
        byte[] latin = "gr\u00fcn\n".getBytes(StandardCharsets.ISO_8859_1);
        Run run = Run.oriel(folder, latin, "user", "add", db, "ada");
        assertEquals("oriel: the text is not UTF-8\n", run.err());
        assertEquals(1, run.exitCode());
        assertEquals("", list());
    }
}

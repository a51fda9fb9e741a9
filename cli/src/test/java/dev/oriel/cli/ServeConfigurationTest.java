package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.server.BackupSchedule;
import dev.oriel.server.ServerOptions;
import dev.oriel.store.UsageException;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The file of `oriel serve --config`, in order and not.
final class ServeConfigurationTest {
    private static final int FILES = Integer.getInteger("fuzz", 1_000);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private ServerOptions read(byte[] bytes) throws Failure, IOException {
        Path file = folder.resolve("oriel.properties");
        Files.write(file, bytes);
        return new ServeCommand().options(file);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void whatTheFileSaysCounts() throws Exception {
        ServerOptions options =
                read(bytes("# ours\nmemcached-port = 0\nbucket: caf\\u00e9s\nconnections=7\n"));
        assertEquals(0, options.memcachedPort());
        assertEquals("caf\u00e9s", options.bucket());
        assertEquals(7, options.connectionsMax());
    }

    @Test
    void whatIsWrongWithTheFileIsSaid() {
        Failure escape = assertThrows(Failure.class, () -> read(bytes("host = \\u12")));
        assertTrue(
                escape.toString().endsWith("has a \\u that is not followed by four digits"),
                escape::toString);
        Failure number = assertThrows(Failure.class, () -> read(bytes("http-port = many")));
        assertEquals("--http-port wants a number, and got many", number.getMessage());
        Failure unknown = assertThrows(Failure.class, () -> read(bytes("hots = here")));
        assertTrue(
                unknown.toString().contains("an option that is not known: hots (known: "),
                unknown::toString);
    }

    @Test
    void severalBackupsMayBeScheduled() throws Exception {
        ServerOptions options =
                read(
                        bytes(
                                "backup = daily 02:30 /b/day keep 7\nbackup = weekly sun 02:30 /b/week\n"));
        assertEquals(
                List.of(
                        BackupSchedule.of("daily 02:30 /b/day keep 7"),
                        BackupSchedule.of("weekly sun 02:30 /b/week")),
                options.admin().schedules());
        Failure twice = assertThrows(Failure.class, () -> read(bytes("host = a\nhost = b\n")));
        assertTrue(twice.toString().endsWith("has an option twice: host"), twice::toString);
    }

    /// Such a server would serve everybody.
    @Test
    void aFileWithoutUsersIsRefused() throws Exception {
        Path users = folder.resolve("users");
        Files.writeString(users, "# none yet\n\n");
        Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-------"));
        Failure none = assertThrows(Failure.class, () -> read(bytes("users = " + users)));
        assertTrue(none.toString().contains("there is no user in "), none::toString);
    }

    @Test
    void valuesThatCannotBeAreNamed() {
        for (String line :
                List.of(
                        "connections = -5",
                        "connections = 0",
                        "threads = 0",
                        "http-port = 65536",
                        "http-port = -2",
                        "value-bytes = 0",
                        "idle-seconds = -1")) {
            UsageException wrong =
                    assertThrows(UsageException.class, () -> read(bytes(line)), line);
            assertTrue(wrong.context().contains("-") || wrong.context().contains("="), line);
        }
        Failure twice =
                assertThrows(Failure.class, () -> read(bytes("host = here\nhost = there\n")));
        assertTrue(twice.toString().endsWith("has an option twice: host"), twice::toString);
        Failure none = assertThrows(Failure.class, () -> read(bytes("memcached-port = -1")));
        assertTrue(none.toString().contains("there is no port"), none::toString);
    }

    /// Files of any bytes are read, or refused in words for a user.
    @Test
    void damagedFilesAreReadOrRefused() throws IOException {
        List<String> keys =
                List.of(
                        "host",
                        "memcached-port",
                        "couchbase-port",
                        "http-port",
                        "bucket",
                        "users",
                        "tls-certificate",
                        "tls-key",
                        "connections",
                        "value-bytes",
                        "idle-seconds",
                        "threads",
                        "durability",
                        "other");
        List<String> values =
                List.of(
                        "127.0.0.1",
                        "0",
                        "-1",
                        "99999999999",
                        "",
                        "default",
                        "\\u00e4",
                        "\\",
                        " 7 ",
                        "sync",
                        "/nowhere",
                        "a=b",
                        "\u0001",
                        "\u00fc");
        Gen gen = new Gen(Seed.of("ServeConfigurationTest", 41));
        int read = 0;
        int refused = 0;
        for (int i = 0; i < FILES; i++) {
            StringBuilder lines = new StringBuilder();
            for (int line = gen.below(6); line > 0; line--) {
                lines.append(gen.pick(keys)).append(gen.pick(List.of("=", " : ", " ", "")));
                lines.append(gen.chance(70) ? "1" : gen.pick(values)).append('\n');
            }
            byte[] file = bytes(lines.toString());
            for (int d = gen.chance(30) ? gen.below(4) : 0; d > 0 && file.length > 0; d--) {
                file[gen.below(file.length)] = (byte) gen.anyInt();
            }
            try {
                read(file);
                read++;
            } catch (Failure | UsageException inWords) {
                refused++;
            } catch (CharacterCodingException noText) {
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError(Base64.getEncoder().encodeToString(file), e);
            }
        }
        assertTrue(read > FILES / 20 && refused > FILES / 20, read + " read, " + refused);
    }
}

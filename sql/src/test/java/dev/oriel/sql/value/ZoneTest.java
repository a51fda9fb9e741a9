package dev.oriel.sql.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.table.definition.Type;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ZoneTest {
    private static final Type MOMENT = Type.of(Type.Name.TIMESTAMP_TZ);

    private static final List<String> ZONES =
            List.of(
                    "Europe/Berlin",
                    "America/St_Johns",
                    "Australia/Lord_Howe",
                    "UTC",
                    "Asia/Tokyo");

    @Test
    void momentsBecomeTheLocalTimesOfTheJdk() {
        Gen gen = new Gen(Seed.of("ZoneTest", 1));
        for (int i = 0; i < 20_000; i++) {
            String name = gen.pick(ZONES);
            Zone zone = Zone.of(name);
            long micros = moment(gen);
            Instant instant = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
            LocalDateTime local = LocalDateTime.ofInstant(instant, ZoneId.of(name));
            long expected = ChronoUnit.MICROS.between(LocalDateTime.of(1970, 1, 1, 0, 0), local);
            assertEquals(expected, zone.local(micros), name);
            assertEquals(expected - micros, zone.seconds(micros) * 1_000_000L, name);
        }
    }

    @Test
    void textOfMomentsIsReadAgainInEveryZone() {
        Gen gen = new Gen(Seed.of("ZoneTest", 2));
        for (int i = 0; i < 20_000; i++) {
            Zone written = Zone.of(gen.pick(ZONES));
            Zone read = Zone.of(gen.pick(ZONES));
            long micros = moment(gen);
            String text = TextFormat.ofLong(micros, MOMENT, written);
            assertEquals(micros, TextFormat.parseLong(text, MOMENT, read), text);
        }
    }

    @Test
    void localTimesInGapsAndOverlapsHaveTheOffsetOfPostgres() {
        Zone berlin = Zone.of("Europe/Berlin");
        assertEquals("2024-03-31 03:30:00+02", again("2024-03-31 02:30", berlin));
        assertEquals("2024-10-27 02:30:00+01", again("2024-10-27 02:30", berlin));
        assertEquals("2024-10-27 02:30:00+02", again("2024-10-27 02:30+02", berlin));
        assertEquals("1800-07-01 12:53:28+00:53:28", again("1800-07-01 12:00+00", berlin));
    }

    private static String again(String text, Zone zone) {
        return TextFormat.ofLong(TextFormat.parseLong(text, MOMENT, zone), MOMENT, zone);
    }

    @Test
    void namesAreThoseOfPostgres() {
        assertEquals("Europe/Berlin", Zone.of("europe/BERLIN").name());
        assertEquals("<+05>-05", Zone.of("+5").name());
        assertEquals("<-07:30>+07:30", Zone.of("-7.5").name());
        assertEquals(-3 * 3_600, Zone.of("UTC+3").seconds(0));
        assertEquals(-2 * 3_600, Zone.of("+02:00").seconds(0));
        assertEquals("FOO", Zone.of("FOO5").abbreviation(0));
        for (String none : List.of("nowhere", "pst", "", "200", "Europe", "<+02", "UTC+30")) {
            assertThrows(DateTimeException.class, () -> Zone.of(none), none);
        }
    }

    @Test
    void textsTellWhetherTheyNameAZone() {
        assertTrue(Temporals.namesZone("2024-07-01 12:00+02"));
        assertTrue(Temporals.namesZone("2024-07-01T12:00Z"));
        assertTrue(Temporals.namesZone("Jul 1 12:00:00 2024 EST"));
        assertFalse(Temporals.namesZone("2024-07-01 12:00"));
        assertFalse(Temporals.namesZone("2024-07-01"));
    }

    /// A moment near a change of an offset, or anywhere in twelve centuries.
    private static long moment(Gen gen) {
        if (gen.chance(50)) {
            LocalDateTime near = LocalDateTime.of(2024, gen.chance(50) ? 3 : 10, 24, 0, 0);
            return near.toEpochSecond(ZoneOffset.UTC) * 1_000_000L
                    + gen.below(700_000_000) * 1_000L;
        }
        return (gen.below(2_000_000_000) - 1_000_000_000L) * 19_000_003L;
    }
}

package dev.oriel.table.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.CompositeValue;
import dev.oriel.table.value.Tuple;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimCrash;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Types that users define: the order of labels, and that all places of a definition agree whenever the machine crashes.
final class UserTypeTest {
    private static final String NAME = "size";

    @Test
    void attributesAreReadAsFarAsNeeded() {
        Type text = Type.of(Type.Name.VARCHAR);
        CompositeType type = CompositeType.ofTypes(List.of(Type.of(Type.Name.BIGINT), text, text));
        Tuple row = new Tuple(3);
        row.setLong(0, 7);
        row.setNull(1);
        row.setText(2, "last");
        byte[] value = CompositeValue.of(type, row);
        Tuple two = CompositeValue.attributes(type, value, 2);
        assertEquals(2, two.columns());
        assertEquals(7, two.longAt(0));
        assertTrue(two.isNull(1));
        assertEquals("last", CompositeValue.attributes(type, value).textAt(2));
    }

    @Test
    void labelsKeepTheirPlacesBesideNewOnes() {
        EnumType type = EnumType.of(NAME, List.of("a", "c"));
        long first = type.labels().getFirst().place();
        EnumType three = Objects.requireNonNull(type.with("b", 1));
        EnumType more = Objects.requireNonNull(three.with("z", 3));
        assertEquals(List.of("a", "b", "c", "z"), texts(more));
        assertEquals(first, more.labels().getFirst().place());
        assertEquals("b", more.at(more.labels().get(1).place()));
        assertEquals(
                List.of("0", "a", "b", "c", "z"), texts(Objects.requireNonNull(more.with("0", 0))));
        assertThrows(CorruptionException.class, () -> type.at(1));
    }

    @Test
    void roomBetweenTwoLabelsEnds() {
        EnumType type = EnumType.of(NAME, List.of("a", "z"));
        int added = 0;
        for (EnumType more = type.with("0", 1); more != null; more = more.with("" + added, 1)) {
            added++;
            assertTrue(added < 100);
        }
        assertEquals(32, added);
    }

    @Test
    void allPlacesOfADefinitionAgreeAfterEveryCrash() {
        SplittableRandom random = Seed.of("UserTypeTest", 7);
        SimDirectory whole = new SimDirectory();
        run(whole);
        for (long k = 1; k <= whole.operations(); k++) {
            SimDirectory directory = new SimDirectory();
            directory.crashAfter(k);
            try {
                run(directory);
            } catch (SimCrash e) {
                assertTrue(directory.crashed());
            }
            SimDirectory left = directory.crash(random, CrashProfile.ATOMIC_SECTOR);
            try (Tables tables = Tables.open(Store.open(left, StoreOptions.defaults()))) {
                assertEquals(List.of(), tables.check());
                check(tables.catalog(), k);
            }
        }
    }

    private static void check(Catalog catalog, long k) {
        UserType size = catalog.userType(NAME);
        Table table = catalog.table("shirt");
        if (table == null) {
            return;
        }
        EnumType labels = table.columns().get(1).type().labels();
        assertEquals(
                texts((EnumType) Objects.requireNonNull(size)),
                texts(labels),
                "crash at call " + k);
        DomainType domain = Objects.requireNonNull(table.columns().get(2).type().domain());
        DomainType own = (DomainType) Objects.requireNonNull(catalog.userType("good"));
        assertEquals(own.checks(), domain.checks());
        assertEquals(own.required(), domain.required());
        assertEquals(own.filling(), domain.filling());
        assertEquals(texts(own.base().labels()), texts(labels));
    }

    private static void run(SimDirectory directory) {
        try (Tables tables = Tables.open(Store.open(directory, StoreOptions.defaults()))) {
            EnumType size;
            DomainType good;
            Table shirt;
            try (TableTransaction write = tables.beginWrite()) {
                size = (EnumType) write.create(EnumType.of(NAME, List.of("s", "l")));
                good =
                        (DomainType)
                                write.create(
                                        new DomainType(
                                                0, "good", Type.of(size), false, null, List.of()));
                shirt =
                        write.create(
                                new Table(
                                        0,
                                        "shirt",
                                        List.of(
                                                new Column("id", Type.of(Type.Name.BIGINT), false),
                                                new Column("size", Type.of(size), true),
                                                new Column("good", Type.of(good), true)),
                                        List.of(0),
                                        List.of()));
                write.commit();
            }
            try (TableTransaction write = tables.beginWrite()) {
                EnumType more = Objects.requireNonNull(size.with("m", 1));
                DomainType strict =
                        good.withBase(Type.of(more)).withRequired(true).withFilling("'m'");
                write.create(more);
                write.create(strict);
                List<Column> columns = new ArrayList<>(shirt.columns());
                columns.set(1, columns.get(1).withType(Type.of(more)));
                columns.set(2, columns.get(2).withType(Type.of(strict)));
                write.redefine(shirt.withColumns(columns), null);
                write.commit();
            }
            assertNull(tables.catalog().userType("unknown"));
        }
    }

    private static List<String> texts(EnumType type) {
        return type.labels().stream().map(EnumType.Label::text).toList();
    }
}

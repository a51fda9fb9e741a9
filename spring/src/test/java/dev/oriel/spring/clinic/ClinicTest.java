package dev.oriel.spring.clinic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.spring.OrielTestDataSource;
import jakarta.persistence.EntityManager;
import jakarta.validation.ConstraintViolationException;
import java.sql.Connection;
import java.time.LocalDate;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;

/// A test of repositories, that names no database: it gets one in memory.
@DataJpaTest(
        properties = {
            "spring.sql.init.schema-locations=classpath:clinic/schema-h2.sql",
            "spring.jpa.hibernate.ddl-auto=none",
            "spring.jpa.properties.hibernate.default_batch_fetch_size=16",
            "spring.datasource.url=jdbc:oriel:never-opened"
        })
class ClinicTest {
    @Autowired private Owners owners;
    @Autowired private Vets vets;
    @Autowired private EntityManager manager;
    @Autowired private DataSource source;

    ClinicTest() {}

    @Test
    void configuredDatabaseIsReplacedByOneInMemory() throws Exception {
        try (Connection connection = source.getConnection()) {
            assertTrue(connection.getMetaData().getURL().startsWith("jdbc:oriel:mem:"));
        }
    }

    /// As with H2: a pool would be filled for a few connections.
    @Test
    void databaseInMemoryHasNoPool() throws Exception {
        OrielTestDataSource unpooled = assertInstanceOf(OrielTestDataSource.class, source);
        try (Connection one = unpooled.getConnection();
                Connection other = unpooled.getConnection()) {
            assertNotSame(one.unwrap(Connection.class), other.unwrap(Connection.class));
        }
    }

    @Test
    void ownersAreFoundByPrefixAndPage() {
        Page<Owner> page =
                owners.findByLastNameStartingWith(
                        "Davis", PageRequest.of(0, 1, Sort.by("firstName").descending()));
        assertEquals(2, page.getTotalElements());
        assertEquals(2, page.getTotalPages());
        assertEquals("Harold", page.getContent().getFirst().firstName);
        assertEquals(
                0, owners.findByLastNameStartingWith("Nobody", PageRequest.of(0, 5)).getSize() - 5);
    }

    @Test
    void petsAndVisitsAreAddedToAnOwner() {
        Owner owner = owners.findById(1).orElseThrow();
        assertEquals("Leo", owner.pets.getFirst().name);
        Pet pet = new Pet();
        pet.name = "Bow";
        pet.type = owners.petTypes().getLast();
        pet.birthDate = LocalDate.of(2020, 2, 29);
        owner.pets.add(pet);
        Visit visit = new Visit();
        visit.visitDate = LocalDate.of(2024, 1, 1);
        visit.description = "rabies shot";
        pet.visits.add(visit);
        owners.saveAndFlush(owner);
        manager.clear();
        Owner again = owners.findById(1).orElseThrow();
        assertEquals(List.of("Bow", "Leo"), again.pets.stream().map(p -> p.name).toList());
        assertEquals("rabies shot", again.pets.getFirst().visits.iterator().next().description);
    }

    @Test
    void vetsHaveTheirSpecialties() {
        List<Vet> all = vets.findAll(Sort.by("id"));
        assertEquals(List.of(0, 1, 2), all.stream().map(vet -> vet.specialties.size()).toList());
    }

    @Test
    void invalidOwnerIsRefused() {
        assertThrows(
                ConstraintViolationException.class,
                () -> owners.saveAndFlush(new Owner("A", "B", "no number")));
    }
}

package dev.oriel.spring.clinic;

import java.util.List;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface Owners extends JpaRepository<Owner, Integer> {
    Page<Owner> findByLastNameStartingWith(String prefix, Pageable page);

    @Query("SELECT type FROM PetType type ORDER BY type.name")
    List<PetType> petTypes();
}

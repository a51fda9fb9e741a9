package dev.oriel.spring.clinic;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

@Entity
@Table(name = "visits")
class Visit {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @Nullable Integer id;

    @Nullable LocalDate visitDate;
    String description = "";
}

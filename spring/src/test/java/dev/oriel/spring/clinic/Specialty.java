package dev.oriel.spring.clinic;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

@Entity
@Table(name = "specialties")
class Specialty {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @Nullable Integer id;

    String name = "";
}

package dev.oriel.spring.clinic;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import jakarta.persistence.Table;
import java.time.LocalDate;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

@Entity
@Table(name = "pets")
class Pet {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @Nullable Integer id;

    String name = "";
    @Nullable LocalDate birthDate;

    @ManyToOne
    @JoinColumn(name = "type_id")
    @Nullable PetType type;

    @OneToMany(cascade = CascadeType.ALL, fetch = FetchType.LAZY)
    @JoinColumn(name = "pet_id")
    @OrderBy("visitDate")
    Set<Visit> visits = new LinkedHashSet<>();
}

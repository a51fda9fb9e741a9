package dev.oriel.hibernate;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Lob;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A value of each type.
@Entity
class Sample {
    enum Colour {
        RED,
        GREEN
    }

    @Id UUID id = new UUID(0, 0);
    boolean truth;
    byte small;
    short shorter;
    int whole;
    long wide;
    float real;
    double twice;
    char letter = 'x';

    @Column(precision = 12, scale = 4)
    @Nullable BigDecimal decimal;

    @Nullable String text;
    @Lob @Nullable String document;
    @Lob byte @Nullable [] picture;
    byte @Nullable [] bytes;
    @Nullable LocalDate day;
    @Nullable LocalTime time;
    @Nullable LocalDateTime moment;
    @Nullable OffsetDateTime zoned;
    @Nullable Instant instant;

    @Enumerated(EnumType.STRING)
    @Nullable Colour colour;

    @Enumerated(EnumType.ORDINAL)
    @Nullable Colour number;
}

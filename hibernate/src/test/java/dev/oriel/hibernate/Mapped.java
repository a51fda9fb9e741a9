package dev.oriel.hibernate;

import jakarta.persistence.CascadeType;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OneToOne;
import jakarta.persistence.OrderBy;
import jakarta.persistence.OrderColumn;
import jakarta.persistence.Version;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.hibernate.annotations.ColumnTransformer;
import org.hibernate.annotations.CreationTimestamp;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.annotations.UpdateTimestamp;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/// Entities of each kind of mapping.
final class Mapped {
    static final List<Class<?>> ALL =
            List.of(
                    Course.class,
                    Student.class,
                    Desk.class,
                    Exam.class,
                    Vehicle.class,
                    Car.class,
                    Truck.class,
                    Payment.class,
                    Cash.class,
                    Card.class,
                    Shape.class,
                    Circle.class,
                    Square.class,
                    Measure.class,
                    Category.class);

    private Mapped() {}

    enum Level {
        LOW,
        HIGH
    }

    @Embeddable
    record Address(String street, String town) {}

    @Embeddable
    static class Note {
        String text = "";
        int weight;

        protected Note() {}

        Note(String text, int weight) {
            this.text = text;
            this.weight = weight;
        }
    }

    @Entity(name = "Student")
    static class Student {
        @Id @GeneratedValue @Nullable Long id;
        String name = "";
        @Version int version;
        @Embedded @Nullable Address home;

        @ElementCollection Set<String> nicknames = new TreeSet<>();
        @ElementCollection @OrderColumn List<String> marks = new ArrayList<>();
        @ElementCollection Map<String, Integer> points = new HashMap<>();
        @ElementCollection List<Note> notes = new ArrayList<>();

        @ElementCollection
        @Enumerated(EnumType.STRING)
        Set<Level> levels = new HashSet<>();

        @ManyToMany(cascade = CascadeType.PERSIST)
        Set<Course> courses = new HashSet<>();

        @OneToMany(cascade = CascadeType.ALL, orphanRemoval = true)
        @OrderBy("taken")
        List<Exam> exams = new ArrayList<>();

        @OneToOne(cascade = CascadeType.ALL)
        @Nullable Desk desk;

        protected Student() {}

        Student(String name) {
            this.name = name;
        }
    }

    @Entity(name = "Course")
    static class Course {
        @Id @GeneratedValue @Nullable UUID id;
        String title = "";

        @ManyToMany(mappedBy = "courses")
        Set<Student> students = new HashSet<>();

        @Enumerated(EnumType.ORDINAL)
        Level level = Level.LOW;

        protected Course() {}

        Course(String title) {
            this.title = title;
        }
    }

    @Entity(name = "Desk")
    static class Desk {
        @Id @GeneratedValue @Nullable Integer id;
        int number;
    }

    @Entity(name = "Exam")
    static class Exam {
        @Embeddable
        record Key(String subject, int term) {}

        @EmbeddedId Key id = new Key("", 0);
        LocalDate taken = LocalDate.EPOCH;

        protected Exam() {}

        Exam(String subject, int term) {
            id = new Key(subject, term);
            taken = LocalDate.of(2020 + term, 1, 1);
        }
    }

    @Entity(name = "Vehicle")
    @Inheritance(strategy = InheritanceType.JOINED)
    abstract static class Vehicle {
        @Id @GeneratedValue @Nullable Long id;
        String plate = "";
    }

    @Entity(name = "Car")
    static class Car extends Vehicle {
        int seats;
    }

    @Entity(name = "Truck")
    static class Truck extends Vehicle {
        BigDecimal load = BigDecimal.ZERO;
    }

    @Entity(name = "Payment")
    abstract static class Payment {
        @Id @GeneratedValue @Nullable Long id;
        int amount;
    }

    @Entity(name = "Cash")
    static class Cash extends Payment {
        String currency = "EUR";
    }

    @Entity(name = "Card")
    static class Card extends Payment {
        String number = "";
    }

    @Entity(name = "Shape")
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    abstract static class Shape {
        @Id @GeneratedValue @Nullable Long id;
        String colour = "";
    }

    @Entity(name = "Circle")
    static class Circle extends Shape {
        /// In a query of squares its place has a NULL, which is a number too.
        @ColumnTransformer(read = "radius * 2.0", write = "? / 2.0")
        double radius;
    }

    @Entity(name = "Square")
    static class Square extends Shape {
        double side;
    }

    @Entity(name = "Measure")
    static class Measure {
        @Id UUID id = new UUID(0, 0);
        int[] numbers = {};
        String[] words = {};
        List<String> list = new ArrayList<>();
        @Nullable Boolean truth;
        @Nullable Duration duration;
        @Nullable Year year;
        @Nullable ZonedDateTime zoned;
        @Nullable OffsetDateTime moved;
        @Nullable Instant instant;
        @Nullable LocalDateTime local;
        @Nullable LocalTime time;
        @Nullable UUID other;
        @CreationTimestamp @Nullable Instant created;
        @UpdateTimestamp @Nullable LocalDateTime updated;

        @JdbcTypeCode(SqlTypes.JSON)
        Map<String, String> document = new HashMap<>();

        @JdbcTypeCode(SqlTypes.JSON)
        List<Map<String, String>> documents = new ArrayList<>();

        @JdbcTypeCode(SqlTypes.JSON)
        @Nullable Note note;
    }

    @Entity(name = "Category")
    static class Category {
        @Id @GeneratedValue @Nullable Long id;
        String name = "";

        @ManyToOne(fetch = FetchType.LAZY)
        @JoinColumn(name = "parent_id")
        @Nullable Category parent;

        protected Category() {}

        Category(String name, @Nullable Category parent) {
            this.name = name;
            this.parent = parent;
        }
    }
}

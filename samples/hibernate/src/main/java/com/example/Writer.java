package com.example;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;

/** Its id is an identity column. */
@Entity
public class Writer {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Long id;

    @Column(nullable = false, unique = true)
    private String name;

    @OneToMany(mappedBy = "writer", cascade = CascadeType.ALL)
    private List<Work> works = new ArrayList<>();

    protected Writer() {}

    public Writer(String name) {
        this.name = name;
    }

    public Long getId() {
        return id;
    }

    public void wrote(String title) {
        works.add(new Work(this, title));
    }
}

package com.example;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Version;

/** Its id is of a sequence, so that many are inserted in one batch. */
@Entity
public class Work {
    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE)
    private Long id;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    private Writer writer;

    private String title;

    @Version private int version;

    protected Work() {}

    public Work(Writer writer, String title) {
        this.writer = writer;
        this.title = title;
    }

    public String getTitle() {
        return title;
    }
}

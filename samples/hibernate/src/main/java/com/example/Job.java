package com.example;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** Something to be done once. */
@Entity
public class Job {
    @Id private int id;
    private String doneBy;

    protected Job() {}

    public Job(int id) {
        this.id = id;
    }

    public String getDoneBy() {
        return doneBy;
    }

    public void done(String by) {
        doneBy = by;
    }
}

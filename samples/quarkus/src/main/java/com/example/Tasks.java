package com.example;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import java.time.LocalDate;
import java.util.List;

/** The tasks that are kept. */
@ApplicationScoped
public class Tasks {
    private final EntityManager entities;

    public Tasks(EntityManager entities) {
        this.entities = entities;
    }

    @Transactional
    public void add(Task task) {
        entities.persist(task);
    }

    @Transactional
    public int finish(String tag) {
        return entities.createQuery("update Task t set t.state = DONE where array_contains(t.tags, ?1)").setParameter(1, tag).executeUpdate();
    }

    @Transactional
    public List<Task> openUntil(LocalDate day) {
        return entities.createQuery("from Task t where t.state = OPEN and t.due <= ?1 order by t.due", Task.class).setParameter(1, day).getResultList();
    }

    /** Adds a task, and fails. */
    @Transactional
    public void fail(Task task) {
        entities.persist(task);
        entities.flush();
        throw new IllegalStateException("no such task");
    }
}

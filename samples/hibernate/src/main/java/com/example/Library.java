package com.example;

import jakarta.persistence.LockModeType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.hibernate.SessionFactory;
import org.hibernate.Timeouts;
import org.hibernate.cfg.Configuration;

/** Stores writers and their works, and lets workers take jobs. */
public final class Library {
    private static final int WORKERS = 3;

    private Library() {}

    public static void main(String[] arguments) throws Exception {
        try (SessionFactory factory =
                new Configuration()
                        .addAnnotatedClass(Writer.class)
                        .addAnnotatedClass(Work.class)
                        .addAnnotatedClass(Job.class)
                        .setProperty("hibernate.connection.url", "jdbc:oriel:mem:library")
                        .setProperty("hibernate.connection.pool_size", "5")
                        .setProperty("hibernate.hbm2ddl.auto", "create")
                        .setProperty("hibernate.jdbc.batch_size", "50")
                        .buildSessionFactory()) {
            store(factory);
            pages(factory);
            jobs(factory);
        }
    }

    private static void store(SessionFactory factory) {
        factory.inTransaction(session -> {
            Writer writer = new Writer("Ann");
            for (int i = 1; i <= 100; i++) {
                writer.wrote("Volume " + i);
            }
            session.persist(writer);
            System.out.println("Stored writer " + writer.getId());
        });
    }

    private static void pages(SessionFactory factory) {
        factory.inTransaction(session -> {
            List<String> page =
                    session.createQuery(
                                    "select title from Work where writer.name = 'Ann' order by id",
                                    String.class)
                            .setFirstResult(20)
                            .setMaxResults(3)
                            .list();
            System.out.println("The third page begins with " + page);
        });
    }

    /** Each worker takes the first job that nobody else has. */
    private static void jobs(SessionFactory factory) throws Exception {
        factory.inTransaction(session -> {
            for (int i = 1; i <= WORKERS; i++) {
                session.persist(new Job(i));
            }
        });
        CyclicBarrier taken = new CyclicBarrier(WORKERS);
        List<Future<?>> tasks = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(WORKERS)) {
            for (int i = 1; i <= WORKERS; i++) {
                String worker = "worker " + i;
                tasks.add(threads.submit(() -> work(factory, worker, taken)));
            }
        }
        for (Future<?> task : tasks) {
            task.get();
        }
        factory.inTransaction(session -> {
            Set<String> workers = new TreeSet<>();
            session.createQuery("from Job", Job.class)
                    .list()
                    .forEach(job -> workers.add(String.valueOf(job.getDoneBy())));
            System.out.println(
                    workers.size() + " of " + WORKERS + " jobs done, each by one worker");
        });
    }

    private static Void work(SessionFactory factory, String worker, CyclicBarrier taken) {
        factory.inTransaction(session -> {
            Job job =
                    session.createQuery("from Job where doneBy is null order by id", Job.class)
                            .setMaxResults(1)
                            .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                            .setHint("jakarta.persistence.lock.timeout", Timeouts.SKIP_LOCKED_MILLI)
                            .getSingleResult();
            job.done(worker);
            await(taken);
        });
        return null;
    }

    /** All have a job before the first commits. */
    private static void await(CyclicBarrier taken) {
        try {
            taken.await(20, TimeUnit.SECONDS);
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }
}

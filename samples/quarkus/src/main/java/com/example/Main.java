package com.example;

import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.time.LocalDate;

/** Its database is in the folder `tasks`, and is there again when it is started again. */
@QuarkusMain
public class Main implements QuarkusApplication {
    private final Tasks tasks;

    public Main(Tasks tasks) {
        this.tasks = tasks;
    }

    @Override
    public int run(String... arguments) {
        LocalDate day = LocalDate.of(2026, 5, 1);
        tasks.add(new Task("buy bread", day, "home", "food"));
        tasks.add(new Task("write to Ann", day.plusDays(1), "home"));
        tasks.add(new Task("pay rent", day.plusDays(60), "home"));
        int done = tasks.finish("food");
        System.out.println(done + " of the tasks is done, the next is: " + tasks.openUntil(day.plusDays(30)).getFirst().title());
        return 0;
    }
}

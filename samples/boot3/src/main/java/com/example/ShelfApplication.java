package com.example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Spring Boot 3.5 on a database in memory. */
@SpringBootApplication
public class ShelfApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ShelfApplication.class, arguments).close();
    }
}

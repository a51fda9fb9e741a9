package dev.oriel.spring.clinic;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/// The application.
@SpringBootApplication
public class Clinic {
    Clinic() {}
}

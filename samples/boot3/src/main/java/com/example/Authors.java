package com.example;

import org.springframework.data.jpa.repository.JpaRepository;

/** The authors that are kept. */
public interface Authors extends JpaRepository<Author, Long> {}

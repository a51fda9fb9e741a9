package com.example;

import java.time.LocalDate;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

/** The notes that are kept. */
public interface Notes extends JpaRepository<Note, Long> {
    List<Note> findByDayBetweenOrderByDay(LocalDate first, LocalDate last);

    @Query("select n from Note n join n.tags t where t = ?1 order by n.id")
    List<Note> tagged(String tag);
}

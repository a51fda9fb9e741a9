package com.example;

import jakarta.persistence.LockModeType;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

/** The books that are kept. */
public interface Books extends JpaRepository<Book, Long> {
    List<Book> findByTitleContainingIgnoreCaseOrderByTitle(String part);

    @Query("select b from Book b where array_contains(b.tags, ?1)")
    List<Book> tagged(String tag);

    @Query("select b.author.name, count(b), sum(b.price) from Book b group by b.author.name")
    List<Object[]> counts();

    @Query("select b.title, rank() over (order by b.price desc) from Book b order by 2")
    List<Object[]> ranked();

    @Query(value = "select title from book where info->>'pages' = ?1", nativeQuery = true)
    List<String> ofPages(String pages);

    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select b from Book b where b.id = ?1")
    Book locked(Long id);

    @Modifying
    @Query("update Book b set b.price = b.price + 1 where b.state = ?1")
    int raise(Book.State state);
}

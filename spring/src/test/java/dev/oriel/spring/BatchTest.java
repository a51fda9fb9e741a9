package dev.oriel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.launch.JobInstanceAlreadyCompleteException;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.item.support.ListItemReader;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

/// A job of Spring Batch, configured by Spring Boot alone.
@SpringBootTest(
        properties = {
            "spring.batch.job.enabled=false",
            "spring.sql.init.mode=never",
            "spring.jpa.hibernate.ddl-auto=none"
        },
        classes = BatchTest.Loads.class)
class BatchTest {
    @Autowired private JobOperator operator;
    @Autowired private Job job;
    @Autowired private JdbcClient client;

    BatchTest() {}

    /// A job that fails at its fourth row, once.
    @Configuration
    @EnableAutoConfiguration
    static class Loads {
        private boolean failed;

        Loads() {}

        @Bean
        Step load(JobRepository jobs, PlatformTransactionManager manager, JdbcClient client) {
            client.sql("CREATE TABLE loaded (n INT PRIMARY KEY)").update();
            return new StepBuilder("load", jobs)
                    .<Integer, Integer>chunk(2)
                    .transactionManager(manager)
                    .reader(new ListItemReader<>(List.of(1, 2, 3, 4, 5)))
                    .writer(chunk ->
                            chunk.forEach(each -> {
                                client.sql("INSERT INTO loaded VALUES (?)").param(each).update();
                                if (each == 4 && !failed) {
                                    failed = true;
                                    throw new IllegalStateException("once");
                                }
                            }))
                    .build();
        }

        @Bean
        Job job(JobRepository jobs, Step load) {
            return new JobBuilder("job", jobs).start(load).build();
        }
    }

    @Test
    void jobsRunFailAndAreKept() throws Exception {
        JobParameters first = new JobParametersBuilder().addLong("run", 1L).toJobParameters();
        JobExecution failed = operator.start(job, first);
        assertEquals(BatchStatus.FAILED, failed.getStatus());
        assertEquals(
                List.of(1, 2),
                client.sql("SELECT n FROM loaded ORDER BY n").query(Integer.class).list());
        client.sql("DELETE FROM loaded").update();
        JobParameters second = new JobParametersBuilder().addLong("run", 2L).toJobParameters();
        assertEquals(BatchStatus.COMPLETED, operator.start(job, second).getStatus());
        assertThrows(JobInstanceAlreadyCompleteException.class, () -> operator.start(job, second));
        assertEquals(
                List.of("FAILED", "COMPLETED"),
                client.sql("SELECT status FROM batch_job_execution ORDER BY job_execution_id")
                        .query(String.class)
                        .list());
    }
}

package dev.oriel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
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
import org.springframework.batch.infrastructure.item.database.JdbcBatchItemWriter;
import org.springframework.batch.infrastructure.item.database.JdbcPagingItemReader;
import org.springframework.batch.infrastructure.item.database.Order;
import org.springframework.batch.infrastructure.item.database.builder.JdbcBatchItemWriterBuilder;
import org.springframework.batch.infrastructure.item.database.builder.JdbcPagingItemReaderBuilder;
import org.springframework.batch.infrastructure.item.database.support.PostgresPagingQueryProvider;
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
    @Autowired private Job copy;
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

        /// Reads pages; the provider of pages is named, since Spring Batch does not find one for Oriel.
        @Bean
        JdbcPagingItemReader<Integer> pages(DataSource source, JdbcClient client) throws Exception {
            client.sql("CREATE TABLE wanted AS SELECT n FROM generate_series(1, 20) AS s (n)")
                    .update();
            client.sql("CREATE TABLE copied (n INT PRIMARY KEY)").update();
            PostgresPagingQueryProvider query = new PostgresPagingQueryProvider();
            query.setSelectClause("n");
            query.setFromClause("wanted");
            query.setSortKeys(Map.of("n", Order.ASCENDING));
            return new JdbcPagingItemReaderBuilder<Integer>()
                    .name("pages")
                    .dataSource(source)
                    .queryProvider(query)
                    .pageSize(7)
                    .rowMapper((row, _) -> row.getInt(1))
                    .build();
        }

        @Bean
        Job copy(
                JobRepository jobs,
                PlatformTransactionManager manager,
                JdbcPagingItemReader<Integer> pages,
                DataSource source) {
            JdbcBatchItemWriter<Integer> writer =
                    new JdbcBatchItemWriterBuilder<Integer>()
                            .dataSource(source)
                            .sql("INSERT INTO copied VALUES (?)")
                            .itemPreparedStatementSetter((n, insert) -> insert.setInt(1, n))
                            .build();
            writer.afterPropertiesSet();
            AtomicBoolean fails = new AtomicBoolean(true);
            Step step =
                    new StepBuilder("copy", jobs)
                            .<Integer, Integer>chunk(5)
                            .transactionManager(manager)
                            .reader(pages)
                            .processor(n -> {
                                if (n == 13 && fails.getAndSet(false)) {
                                    throw new IllegalStateException("once");
                                }
                                return n;
                            })
                            .writer(writer)
                            .build();
            return new JobBuilder("copy", jobs).start(step).build();
        }
    }

    @Test
    void failedJobGoesOnWithItsNextPage() throws Exception {
        JobExecution failed = operator.start(copy, new JobParameters());
        assertEquals(BatchStatus.FAILED, failed.getStatus());
        assertEquals(List.of(10L, 55L), copied());
        JobExecution completed = operator.restart(failed);
        assertEquals(BatchStatus.COMPLETED, completed.getStatus());
        assertEquals(List.of(20L, 210L), copied());
        assertEquals(10, completed.getStepExecutions().iterator().next().getWriteCount());
    }

    /// Count and sum.
    private List<Long> copied() {
        return client.sql("SELECT COUNT(*), SUM(n) FROM copied")
                .query((row, _) -> List.of(row.getLong(1), row.getLong(2)))
                .single();
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
                client.sql(
                                "SELECT status FROM batch_job_execution JOIN batch_job_instance USING"
                                        + " (job_instance_id) WHERE job_name = 'job' ORDER BY"
                                        + " job_execution_id")
                        .query(String.class)
                        .list());
    }
}

package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.jdbc.PostgreSqlJdbcCustomization;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import dev.oriel.OrielDataSource;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbc.JdbcLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** Schedulers that keep their jobs in a database. */
class SchedulersTest {
    private static final CountDownLatch RUNS = new CountDownLatch(3);

    /** Counts its runs. */
    public static final class Tick implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            RUNS.countDown();
        }
    }

    private static int count(Connection connection, String table) throws Exception {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Test
    void quartzKeepsItsJobs() throws Exception {
        String url = "jdbc:oriel:mem:quartz";
        try (Connection kept = new OrielDataSource(url).getConnection();
                Statement statement = kept.createStatement();
                InputStream script = Job.class.getResourceAsStream("/org/quartz/impl/jdbcjobstore/tables_h2.sql")) {
            String definitions =
                    new String(script.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> !line.startsWith("#"))
                            .collect(Collectors.joining("\n"));
            statement.execute(definitions);
            Properties properties = new Properties();
            properties.setProperty("org.quartz.scheduler.instanceId", "AUTO");
            properties.setProperty("org.quartz.threadPool.threadCount", "2");
            properties.setProperty("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
            properties.setProperty("org.quartz.jobStore.isClustered", "true");
            properties.setProperty("org.quartz.jobStore.dataSource", "kept");
            properties.setProperty("org.quartz.dataSource.kept.URL", url);
            properties.setProperty("org.quartz.dataSource.kept.driver", "dev.oriel.OrielDriver");
            properties.setProperty("org.quartz.dataSource.kept.provider", "hikaricp");
            org.quartz.Scheduler scheduler = new StdSchedulerFactory(properties).getScheduler();
            scheduler.start();
            scheduler.scheduleJob(
                    JobBuilder.newJob(Tick.class).withIdentity("tick").usingJobData("key", "value").build(),
                    TriggerBuilder.newTrigger()
                            .withSchedule(SimpleScheduleBuilder.simpleSchedule().withIntervalInMilliseconds(100).repeatForever())
                            .build());
            assertTrue(RUNS.await(60, TimeUnit.SECONDS));
            assertEquals(1, count(kept, "qrtz_job_details"));
            scheduler.clear();
            assertEquals(0, count(kept, "qrtz_triggers"));
            scheduler.shutdown(true);
        }
    }

    @Test
    void shedLockIsHeldByOne() throws Exception {
        OrielDataSource source = new OrielDataSource("jdbc:oriel:mem:shedlock");
        try (Connection kept = source.getConnection(); Statement statement = kept.createStatement()) {
            statement.execute(
                    """
                    CREATE TABLE shedlock(name VARCHAR(64) NOT NULL, lock_until TIMESTAMP NOT NULL,
                        locked_at TIMESTAMP NOT NULL, locked_by VARCHAR(255) NOT NULL, PRIMARY KEY (name))""");
            JdbcLockProvider provider = new JdbcLockProvider(source);
            LockConfiguration job =
                    new LockConfiguration(Instant.now(), "job", Duration.ofMinutes(1), Duration.ZERO);
            SimpleLock lock = provider.lock(job).orElseThrow();
            assertTrue(provider.lock(job).isEmpty());
            lock.extend(Duration.ofMinutes(2), Duration.ZERO).orElseThrow().unlock();
            LockConfiguration later =
                    new LockConfiguration(Instant.now(), "job", Duration.ofMinutes(1), Duration.ZERO);
            assertTrue(provider.lock(later).isPresent());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void dbSchedulerRunsEachTaskOnce(boolean lockAndFetch) throws Exception {
        OrielDataSource source = new OrielDataSource("jdbc:oriel:mem:db-scheduler");
        try (Connection kept = source.getConnection(); Statement statement = kept.createStatement()) {
            statement.execute(
                    """
                    create table scheduled_tasks (
                      task_name text not null,
                      task_instance text not null,
                      task_data bytea,
                      execution_time timestamp with time zone not null,
                      picked BOOLEAN not null,
                      picked_by text,
                      last_success timestamp with time zone,
                      last_failure timestamp with time zone,
                      consecutive_failures INT,
                      last_heartbeat timestamp with time zone,
                      version BIGINT not null,
                      priority SMALLINT,
                      PRIMARY KEY (task_name, task_instance)
                    );
                    CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
                    CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
                    CREATE INDEX priority_execution_time_idx on scheduled_tasks (priority desc, execution_time asc)""");
            CountDownLatch repeated = new CountDownLatch(3);
            CountDownLatch once = new CountDownLatch(20);
            RecurringTask<Void> tick =
                    Tasks.recurring("tick", FixedDelay.ofMillis(50))
                            .execute((instance, context) -> repeated.countDown());
            OneTimeTask<String> task =
                    Tasks.oneTime("task", String.class).execute((instance, context) -> once.countDown());
            SchedulerBuilder builder =
                    Scheduler.create(source, task)
                            .startTasks(tick)
                            .threads(3)
                            .enablePriority()
                            .pollingInterval(Duration.ofMillis(50));
            if (lockAndFetch) {
                builder.jdbcCustomization(new PostgreSqlJdbcCustomization(false, false))
                        .pollUsingLockAndFetch(0.5, 1);
            }
            Scheduler scheduler = builder.build();
            scheduler.start();
            for (int i = 0; i < 20; i++) {
                scheduler.schedule(task.instance("i" + i, "data"), Instant.now());
            }
            assertTrue(once.await(60, TimeUnit.SECONDS) && repeated.await(60, TimeUnit.SECONDS));
            scheduler.stop();
            assertEquals(1, count(kept, "scheduled_tasks"));
        }
    }
}

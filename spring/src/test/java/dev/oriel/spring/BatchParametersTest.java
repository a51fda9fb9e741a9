package dev.oriel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.springframework.batch.core.converter.DefaultJobParametersConverter;
import org.springframework.batch.core.converter.JobParametersConverter;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

/// A job whose parameters the application converts.
@SpringBootTest(
        properties = {
            "spring.datasource.url=jdbc:oriel:mem:batch-parameters",
            "spring.batch.job.enabled=false",
            "spring.sql.init.mode=never",
            "spring.jpa.hibernate.ddl-auto=none"
        },
        classes = BatchParametersTest.Converts.class)
class BatchParametersTest {
    @Autowired private JobOperator operator;
    @Autowired private JdbcClient client;

    BatchParametersTest() {}

    @Configuration
    @EnableAutoConfiguration
    static class Converts {
        Converts() {}

        @Bean
        JobParametersConverter converter() {
            return new DefaultJobParametersConverter() {
                @Override
                public JobParameters getJobParameters(Properties properties) {
                    return new JobParametersBuilder(super.getJobParameters(properties))
                            .addString("converted", "yes")
                            .toJobParameters();
                }
            };
        }

        @Bean
        Job empty(JobRepository jobs, PlatformTransactionManager manager) {
            return new JobBuilder("empty", jobs)
                    .start(
                            new StepBuilder("nothing", jobs)
                                    .tasklet((_, _) -> RepeatStatus.FINISHED, manager)
                                    .build())
                    .build();
        }
    }

    @Test
    @SuppressWarnings("removal") // Spring Batch converts parameters in such methods only
    void parametersAreConvertedByTheApplication() throws Exception {
        Properties properties = new Properties();
        properties.setProperty("run", "1");
        operator.start("empty", properties);
        assertEquals(
                List.of("converted=yes", "run=1"),
                client.sql(
                                "SELECT parameter_name || '=' || parameter_value FROM"
                                        + " batch_job_execution_params ORDER BY 1")
                        .query(String.class)
                        .list());
    }
}

package dev.oriel.spring;

import java.sql.DatabaseMetaData;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.configuration.annotation.EnableBatchProcessing;
import org.springframework.batch.core.configuration.support.DefaultBatchConfiguration;
import org.springframework.batch.core.configuration.support.JdbcDefaultBatchConfiguration;
import org.springframework.batch.core.converter.JobParametersConverter;
import org.springframework.batch.core.repository.ExecutionContextSerializer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.batch.autoconfigure.BatchConversionServiceCustomizer;
import org.springframework.boot.batch.autoconfigure.BatchTaskExecutor;
import org.springframework.boot.batch.autoconfigure.BatchTransactionManager;
import org.springframework.boot.batch.jdbc.autoconfigure.BatchDataSource;
import org.springframework.boot.batch.jdbc.autoconfigure.BatchDataSourceScriptDatabaseInitializer;
import org.springframework.boot.batch.jdbc.autoconfigure.BatchJdbcProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.convert.support.ConfigurableConversionService;
import org.springframework.core.task.TaskExecutor;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Isolation;

/// Has Spring Batch keep its jobs in Oriel, in the place of Spring Boot's own configuration and with its
/// properties. Spring Batch knows a fixed list of databases.
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
        },
        beforeName = {
            "org.springframework.boot.batch.autoconfigure.BatchAutoConfiguration",
            "org.springframework.boot.batch.autoconfigure.BatchJobLauncherAutoConfiguration",
            "org.springframework.boot.batch.jdbc.autoconfigure.BatchJdbcAutoConfiguration"
        })
@ConditionalOnClass({JdbcDefaultBatchConfiguration.class, BatchJdbcProperties.class})
@Conditional(OnOriel.class)
@ConditionalOnBean({DataSource.class, PlatformTransactionManager.class})
@ConditionalOnMissingBean(
        value = DefaultBatchConfiguration.class,
        annotation = EnableBatchProcessing.class)
@EnableConfigurationProperties(BatchJdbcProperties.class)
@Import(DatabaseInitializationDependencyConfigurer.class)
public class OrielBatchAutoConfiguration {
    /// The database whose sequences are like Oriel's.
    private static final String KNOWN = "POSTGRES";

    /// For Spring.
    public OrielBatchAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    @Conditional(OrielBatchAutoConfiguration.OnScripts.class)
    BatchDataSourceScriptDatabaseInitializer batchDataSourceInitializer(
            DataSource source,
            @BatchDataSource ObjectProvider<DataSource> own,
            BatchJdbcProperties properties) {
        return new BatchDataSourceScriptDatabaseInitializer(
                own.getIfAvailable(() -> source), properties);
    }

    /// The parts that an application may replace, as with Spring Boot's configuration.
    @Configuration(proxyBeanMethods = false)
    static class Jobs extends JdbcDefaultBatchConfiguration {
        private final DataSource source;
        private final PlatformTransactionManager manager;
        private final BatchJdbcProperties properties;
        private final @Nullable TaskExecutor executor;
        private final @Nullable ExecutionContextSerializer serializer;
        private final @Nullable JobParametersConverter converter;
        private final ObjectProvider<BatchConversionServiceCustomizer> customizers;

        Jobs(
                DataSource source,
                @BatchDataSource ObjectProvider<DataSource> ownSource,
                PlatformTransactionManager manager,
                @BatchTransactionManager ObjectProvider<PlatformTransactionManager> ownManager,
                @BatchTaskExecutor ObjectProvider<TaskExecutor> executor,
                BatchJdbcProperties properties,
                ObjectProvider<BatchConversionServiceCustomizer> customizers,
                ObjectProvider<ExecutionContextSerializer> serializer,
                ObjectProvider<JobParametersConverter> converter) {
            this.source = ownSource.getIfAvailable(() -> source);
            this.manager = ownManager.getIfAvailable(() -> manager);
            this.executor = executor.getIfAvailable();
            this.properties = properties;
            this.customizers = customizers;
            this.serializer = serializer.getIfAvailable();
            this.converter = converter.getIfAvailable();
        }

        @Override
        protected String getDatabaseType() throws MetaDataAccessException {
            String product =
                    JdbcUtils.extractDatabaseMetaData(
                            source, DatabaseMetaData::getDatabaseProductName);
            return "Oriel".equals(product) ? KNOWN : super.getDatabaseType();
        }

        @Override
        protected DataSource getDataSource() {
            return source;
        }

        @Override
        protected PlatformTransactionManager getTransactionManager() {
            return manager;
        }

        @Override
        protected String getTablePrefix() {
            String prefix = properties.getTablePrefix();
            return prefix == null ? super.getTablePrefix() : prefix;
        }

        @Override
        protected boolean getValidateTransactionState() {
            return properties.isValidateTransactionState();
        }

        @Override
        protected Isolation getIsolationLevelForCreate() {
            Isolation level = properties.getIsolationLevelForCreate();
            return level == null ? super.getIsolationLevelForCreate() : level;
        }

        @Override
        protected ConfigurableConversionService getConversionService() {
            ConfigurableConversionService service = super.getConversionService();
            customizers.orderedStream().forEach(each -> each.customize(service));
            return service;
        }

        @Override
        protected ExecutionContextSerializer getExecutionContextSerializer() {
            return serializer == null ? super.getExecutionContextSerializer() : serializer;
        }

        @Override
        @Deprecated(forRemoval = true) // as Spring Batch declares it
        @SuppressWarnings("removal")
        protected JobParametersConverter getJobParametersConverter() {
            return converter == null ? super.getJobParametersConverter() : converter;
        }

        @Override
        protected TaskExecutor getTaskExecutor() {
            return executor == null ? super.getTaskExecutor() : executor;
        }
    }

    /// Whether Spring Batch's tables are to be made.
    static final class OnScripts implements Condition {
        OnScripts() {}

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return context.getEnvironment()
                            .getProperty(
                                    "spring.batch.jdbc.initialize-schema",
                                    DatabaseInitializationMode.class,
                                    DatabaseInitializationMode.EMBEDDED)
                    != DatabaseInitializationMode.NEVER;
        }
    }
}

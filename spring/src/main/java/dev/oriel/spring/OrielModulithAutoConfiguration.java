package dev.oriel.spring;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.util.ClassUtils;

/// Lets Spring Modulith keep its events in Oriel by its statements for PostgreSQL. Modulith knows a fixed list of
/// databases, and refuses to start with another.
@AutoConfiguration
@ConditionalOnClass(name = OrielModulithAutoConfiguration.CONFIGURATION)
@Conditional(OnOriel.class)
public class OrielModulithAutoConfiguration {
    static final String CONFIGURATION =
            "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration";
    private static final String TYPE = "org.springframework.modulith.events.jdbc.DatabaseType";
    private static final String NAME = "databaseType";

    /// For Spring.
    public OrielModulithAutoConfiguration() {}

    @Bean
    static BeanDefinitionRegistryPostProcessor orielModulithDatabaseType() {
        return new Replacement();
    }

    /// Defines Modulith's bean of the database's type anew.
    private static final class Replacement implements BeanDefinitionRegistryPostProcessor {
        @Override
        public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
            if (registry.containsBeanDefinition(NAME)
                    && isOfModulith(registry.getBeanDefinition(NAME))) {
                registry.removeBeanDefinition(NAME);
                registry.registerBeanDefinition(NAME, postgres());
            }
        }

        private static boolean isOfModulith(BeanDefinition definition) {
            return CONFIGURATION.equals(definition.getFactoryBeanName());
        }

        @SuppressWarnings({"unchecked", "rawtypes"}) // an enumeration that is not public
        private static BeanDefinition postgres() {
            Class type = ClassUtils.resolveClassName(TYPE, null);
            return new RootBeanDefinition(type, () -> Enum.valueOf(type, "POSTGRES"));
        }

        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {}
    }
}

package dev.oriel.spring;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/// Puts a database in memory in the place of a test's configured one: of the properties of the data source, and of a
/// `DataSource` bean of the application. Unless it is to replace ANY, a database that the test itself has started
/// stays: its URL is a dynamic property of the test, or one of Testcontainers. Equal ones share a context.
///
/// @param replaced which data sources are replaced, as `@AutoConfigureTestDatabase` names them
record OrielTestReplacement(String replaced) implements ContextCustomizer {
    private static final String REPLACE = "spring.test.database.replace";

    /// Name of the source that has the test's dynamic properties.
    private static final String DYNAMIC = "Dynamic Test Properties";

    private static final String CONTAINERS = "jdbc:tc:";

    /// Acts when the other customizers have, and before a configuration is read.
    @Override
    public void customizeContext(
            ConfigurableApplicationContext context, MergedContextConfiguration merged) {
        context.addBeanFactoryPostProcessor(new Replacing(context.getEnvironment()));
    }

    private final class Replacing implements BeanDefinitionRegistryPostProcessor {
        private final ConfigurableEnvironment environment;
        private final String url = "jdbc:oriel:mem:" + UUID.randomUUID();
        private boolean replaces;

        Replacing(ConfigurableEnvironment environment) {
            this.environment = environment;
        }

        @Override
        public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
            replaces =
                    !"none".equalsIgnoreCase(environment.getProperty(REPLACE))
                            && (replaced.equals("ANY") || !isOfTest(environment));
            if (replaces) {
                environment
                        .getPropertySources()
                        .addFirst(new MapPropertySource("oriel test database", properties(url)));
                environment
                        .getPropertySources()
                        .addLast(
                                new MapPropertySource(
                                        "oriel test defaults", OrielProperties.inMemory()));
            }
        }

        /// Replaces the data source that the application defines; Spring Boot's own has the properties.
        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
            String name = replaces && !replaced.equals("AUTO_CONFIGURED") ? only(factory) : null;
            if (name != null && factory instanceof BeanDefinitionRegistry registry) {
                BeanDefinition own = factory.getBeanDefinition(name);
                String maker = own.getFactoryBeanName();
                if (maker == null || !maker.startsWith("org.springframework.boot.")) {
                    registry.removeBeanDefinition(name);
                    registry.registerBeanDefinition(name, made(own.isPrimary()));
                }
            }
        }

        private BeanDefinition made(boolean primary) {
            RootBeanDefinition made =
                    new RootBeanDefinition(
                            OrielTestDataSource.class,
                            () -> {
                                OrielTestDataSource source = new OrielTestDataSource();
                                source.setUrl(url);
                                return source;
                            });
            made.setPrimary(primary);
            return made;
        }
    }

    private static boolean isOfTest(ConfigurableEnvironment environment) {
        PropertySource<?> dynamic = environment.getPropertySources().get(DYNAMIC);
        return (dynamic != null && dynamic.containsProperty(OrielProperties.URL))
                || environment.getProperty(OrielProperties.URL, "").startsWith(CONTAINERS);
    }

    private static Map<String, Object> properties(String url) {
        Map<String, Object> properties = new HashMap<>();
        properties.put(REPLACE, "none");
        properties.put(OrielProperties.URL, url);
        properties.put(OrielProperties.DRIVER, "dev.oriel.OrielDriver");
        properties.put("spring.datasource.type", OrielTestDataSource.class.getName());
        properties.put("spring.datasource.username", "");
        properties.put("spring.datasource.password", "");
        return properties;
    }

    /// The name of the only data source, or of the primary one; null without one.
    private static @Nullable String only(ConfigurableListableBeanFactory factory) {
        String[] names = factory.getBeanNamesForType(DataSource.class, true, false);
        for (String name : names) {
            if (names.length == 1
                    || (factory.containsBeanDefinition(name)
                            && factory.getBeanDefinition(name).isPrimary())) {
                return factory.containsBeanDefinition(name) ? name : null;
            }
        }
        return null;
    }
}

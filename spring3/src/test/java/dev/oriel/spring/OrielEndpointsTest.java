package dev.oriel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.OrielDataSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.DelegatingDataSource;

class OrielEndpointsTest {
    private final ApplicationContextRunner runner =
            new ApplicationContextRunner()
                    .withInitializer(context ->
                            context.getEnvironment()
                                    .setConversionService(new ApplicationConversionService()))
                    .withPropertyValues(
                            "spring.datasource.url=jdbc:oriel:mem:endpoints",
                            "spring.datasource.driver-class-name=dev.oriel.OrielDriver",
                            "management.endpoints.jmx.exposure.include=*",
                            "spring.jmx.enabled=true")
                    .withConfiguration(
                            AutoConfigurations.of(
                                    DataSourceAutoConfiguration.class,
                                    EndpointAutoConfiguration.class,
                                    OrielStudioAutoConfiguration.class));

    OrielEndpointsTest() {}

    @Test
    void studioIsNotThereUnlessItIsAllowed() {
        runner.run(
                context -> assertTrue(context.getBeansOfType(OrielStudioEndpoint.class).isEmpty()));
    }

    @Test
    void studioIsOpenedAndClosed() {
        runner.withPropertyValues("management.endpoint.orielstudio.access=unrestricted")
                .run(context -> {
                    OrielStudioEndpoint endpoint = context.getBean(OrielStudioEndpoint.class);
                    assertEquals(Map.of("open", false), endpoint.state());
                    URI address = URI.create(String.valueOf(endpoint.open().get("address")));
                    assertEquals(Map.of("open", true, "port", address.getPort()), endpoint.state());
                    assertEquals(200, status(address));
                    endpoint.close();
                    assertThrows(IOException.class, () -> status(address));
                });
    }

    @Test
    void studioKeepsTheMemoryDatabaseOfItsConnection() throws Exception {
        OrielDataSource source = new OrielDataSource("jdbc:oriel:mem:studio-alone");
        DelegatingDataSource marked =
                new DelegatingDataSource(source) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        Connection connection = super.getConnection();
                        try (Statement statement = connection.createStatement()) {
                            statement.execute("CREATE TABLE mark (a INT)");
                        }
                        return connection;
                    }
                };
        OrielStudioEndpoint endpoint = new OrielStudioEndpoint(marked);
        endpoint.open();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            assertEquals(0, statement.executeUpdate("DELETE FROM mark"));
        } finally {
            endpoint.close();
        }
    }

    private static int status(URI address) throws IOException, InterruptedException {
        try (HttpClient client =
                HttpClient.newBuilder()
                        .followRedirects(HttpClient.Redirect.NORMAL)
                        .cookieHandler(new java.net.CookieManager())
                        .build()) {
            return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding())
                    .statusCode();
        }
    }

    @EnableOrielProfiling
    static class Profiled {
        Profiled() {}
    }

    @Test
    void applicationIsProfiledOnRequest() {
        runner.withUserConfiguration(Profiled.class)
                .run(context -> {
                    OrielProfileEndpoint endpoint = context.getBean(OrielProfileEndpoint.class);
                    String report = endpoint.profile(1);
                    assertFalse(report.isBlank());
                    assertThrows(IllegalArgumentException.class, () -> endpoint.profile(0));
                });
    }
}

package dev.oriel.studio;

import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/// The routes by method and path.
final class Router {
    /// Answers one request.
    interface Route {
        void answer(Exchange exchange) throws IOException, SQLException;
    }

    private final Map<String, Route> routes = new HashMap<>();
    private final Route pages;

    /// @param pages answers GET requests that no route takes
    Router(Route pages) {
        this.pages = pages;
    }

    Router get(String path, Route route) {
        routes.put("GET " + path, route);
        return this;
    }

    Router post(String path, Route route) {
        routes.put("POST " + path, route);
        return this;
    }

    /// Answers `exchange`; errors become JSON with a status.
    void answer(Exchange exchange) {
        try {
            Route route = routes.get(exchange.method() + " " + exchange.path());
            if (route != null) {
                route.answer(exchange);
            } else if (exchange.method().equals("GET")) {
                pages.answer(exchange);
            } else {
                throw new RequestException(
                        405, exchange.method() + " is not known here; see docs/http-api.md.");
            }
        } catch (RequestException e) {
            exchange.fail(e.status(), ErrorJson.of(e));
        } catch (SQLException e) {
            exchange.fail(422, ErrorJson.of(e));
        } catch (IOException | RuntimeException | Error e) {
            exchange.fail(500, ErrorJson.of(e));
        }
    }
}

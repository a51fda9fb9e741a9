package dev.oriel.studio;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oriel.Database;
import java.io.IOException;
import java.sql.SQLException;

/// The routes of the HTTP interface, version 1. docs/http-api.md describes it.
final class Api {
    private static final String V1 = "/api/v1/";

    private final Database database;
    private final StudioOptions options;
    private final Questions questions;
    private final Recordings recordings;

    Api(Database database, StudioOptions options, Questions questions, Recordings recordings) {
        this.database = database;
        this.options = options;
        this.questions = questions;
        this.recordings = recordings;
    }

    Router router() {
        Catalog catalog = new Catalog(database, questions);
        TableRows rows = new TableRows(questions);
        Statements statements = new Statements(questions, options);
        Plans plans = new Plans(questions);
        Experiments experiments = new Experiments(questions, options);
        Changes changes = new Changes(questions, options);
        Observation observation = new Observation(questions);
        Profiles profiles = new Profiles(questions);
        Traversals traversals = new Traversals(database, options, questions);
        Router router = new Router(new Pages());
        new RecordingRoutes(questions, recordings).addTo(router, V1 + "recordings");
        return router.get(V1 + "about", this::about)
                .get(V1 + "catalog", catalog::tree)
                .get(V1 + "words", new Words(questions)::all)
                .get(V1 + "table", new TableDescription(questions)::table)
                .post(V1 + "rows", rows::page)
                .post(V1 + "cell", rows::cell)
                .post(V1 + "summary", new ColumnSummary(database, questions)::summary)
                .post(V1 + "query", statements::run)
                .post(V1 + "cancel", this::cancel)
                .post(V1 + "explain", plans::explain)
                .post(V1 + "experiment", experiments::run)
                .post(V1 + "compare", Comparisons::compare)
                .post(V1 + "change", changes::change)
                .get(V1 + "observe", observation::now)
                .post(V1 + "profile/start", profiles::start)
                .post(V1 + "profile/stop", profiles::stop)
                .get(V1 + "profile", profiles::show)
                .get(V1 + "profile/difference", profiles::difference)
                .post(V1 + "gremlin", traversals::run);
    }

    private void about(Exchange exchange) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("product", "Oriel");
        json.put("api", 1);
        json.put("database", database.toString());
        json.put("readOnly", options.readOnly());
        json.put("user", exchange.user());
        json.put("rowsMax", options.rowsMax());
        json.put("timeoutSeconds", options.timeoutSeconds());
        exchange.json(json);
    }

    private void cancel(Exchange exchange) throws IOException, SQLException {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("cancelled", questions.cancel(exchange.body().path("id").asText()));
        exchange.json(json);
    }
}

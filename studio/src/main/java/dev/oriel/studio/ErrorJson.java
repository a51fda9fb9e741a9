package dev.oriel.studio;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oriel.sql.SqlException;
import java.sql.SQLException;
import java.util.Objects;

/// An error as the interface shows it: `{"error": {"message": ..., "state": ..., "position": ...}}`.
final class ErrorJson {
    private ErrorJson() {}

    static ObjectNode of(Throwable error) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ObjectNode inner = json.putObject("error");
        inner.put("message", Objects.requireNonNullElse(error.getMessage(), error.toString()));
        if (error instanceof SQLException sql && sql.getSQLState() != null) {
            inner.put("state", sql.getSQLState());
        }
        Throwable source = error instanceof SqlException ? error : error.getCause();
        int position =
                switch (source) {
                    case SqlException place -> place.position();
                    case null, default ->
                            error instanceof RequestException request ? request.position() : -1;
                };
        if (position >= 0) {
            inner.put("position", position);
        }
        return json;
    }
}

/// The path language of SQL/JSON: parsed into a [JsonPath], evaluated by a [JsonPathRun].
package dev.oriel.sql.json;

/// The path language of SQL/JSON, read into a [JsonPath] and followed by a [JsonPathRun].
package dev.oriel.sql.json;

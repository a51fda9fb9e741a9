package dev.oriel.sql.plan;

import dev.oriel.table.definition.Trigger;
import org.jspecify.annotations.Nullable;

/// A planned trigger. Its values are the columns of the old row, then the columns of the new one.
///
/// @param when null if it always fires
public record TriggerPlan(Trigger trigger, @Nullable Scalar when, Body body) {}

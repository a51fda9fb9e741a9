/// Compiled statements: typed expressions ([Scalar]) and trees of [Plan] nodes within a [Command]. All are
/// immutable and shared by sessions; expressions evaluate themselves against a [Frame].
package dev.oriel.sql.plan;

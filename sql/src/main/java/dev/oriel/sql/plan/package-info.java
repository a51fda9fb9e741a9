/// What a statement is turned into: typed expressions ([Scalar]) and trees of [Plan] nodes within a [Command].
/// All of it is immutable and shared by sessions; expressions evaluate themselves against a [Frame].
package dev.oriel.sql.plan;

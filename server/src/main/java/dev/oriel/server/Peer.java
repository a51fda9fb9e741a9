package dev.oriel.server;

/// The other end of a connection.
///
/// @param address as the log names it; empty if it is within the process
/// @param unheard whether its messages cannot be read on the network: it is on this machine, or encrypts
record Peer(String address, boolean unheard) {}

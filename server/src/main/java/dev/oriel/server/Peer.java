package dev.oriel.server;

/// The other end of a connection.
///
/// @param address as the log names it; empty if it is within the process
/// @param unheard whether nobody else can hear what it says: it is on this machine, or encrypts
record Peer(String address, boolean unheard) {}

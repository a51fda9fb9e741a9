package dev.oriel.store;

import dev.oriel.io.Directory;

/// The files and background services of a store on disk.
record StoreFiles(
        Directory directory,
        DataFile data,
        DoubleWriteBuffer doubleWrite,
        Log log,
        TemporaryFiles temporary,
        AutoCloseable lock,
        FileHeader header,
        Fence fence,
        StoreThreads threads) {}

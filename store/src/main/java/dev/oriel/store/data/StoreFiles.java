package dev.oriel.store.data;

import dev.oriel.io.Directory;
import dev.oriel.store.file.Fence;
import dev.oriel.store.file.StoreThreads;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.log.Log;

/// The files and background services of a store on disk.
public record StoreFiles(
        Directory directory,
        DataFile data,
        DoubleWriteBuffer doubleWrite,
        Log log,
        TemporaryFiles temporary,
        AutoCloseable lock,
        FileHeader header,
        Fence fence,
        StoreThreads threads) {}

package dev.oriel.compare.pairs;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;

/// A server thread answers a client. Changed: it looks for the next question every two milliseconds instead of waiting
/// for it.
public final class Polling {
    private static final LinkedBlockingQueue<Long> QUESTIONS = new LinkedBlockingQueue<>();
    private static final SynchronousQueue<Long> ANSWERS = new SynchronousQueue<>();
    private static boolean changed;

    private Polling() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Thread server = new Thread(Polling::serve, "server");
        server.setDaemon(true);
        server.start();
        Work.run(words, Polling::ask);
    }

    static long ask(long seed) {
        try {
            QUESTIONS.put(Work.steps(seed, 200_000));
            return ANSWERS.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void serve() {
        try {
            while (true) {
                ANSWERS.put(answer(next()));
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long next() throws InterruptedException {
        if (!changed) {
            return QUESTIONS.take();
        }
        Long next = QUESTIONS.poll();
        while (next == null) {
            Thread.sleep(2);
            next = QUESTIONS.poll();
        }
        return next;
    }

    private static long answer(long question) {
        return Work.steps(question, 100_000);
    }
}

package dev.oriel.compare;

import static dev.oriel.compare.KnownChange.change;

import dev.oriel.compare.pairs.Bank;
import dev.oriel.compare.pairs.Basket;
import dev.oriel.compare.pairs.Batches;
import dev.oriel.compare.pairs.Boxes;
import dev.oriel.compare.pairs.Branches;
import dev.oriel.compare.pairs.Buckets;
import dev.oriel.compare.pairs.Building;
import dev.oriel.compare.pairs.Colours;
import dev.oriel.compare.pairs.Counters;
import dev.oriel.compare.pairs.Dates;
import dev.oriel.compare.pairs.Echo;
import dev.oriel.compare.pairs.Escaping;
import dev.oriel.compare.pairs.Exchange;
import dev.oriel.compare.pairs.Fetching;
import dev.oriel.compare.pairs.Filters;
import dev.oriel.compare.pairs.Formula;
import dev.oriel.compare.pairs.Greeting;
import dev.oriel.compare.pairs.Handlers;
import dev.oriel.compare.pairs.Invoices;
import dev.oriel.compare.pairs.Journal;
import dev.oriel.compare.pairs.Json;
import dev.oriel.compare.pairs.Keys;
import dev.oriel.compare.pairs.Lexicon;
import dev.oriel.compare.pairs.Locking;
import dev.oriel.compare.pairs.Lru;
import dev.oriel.compare.pairs.Mails;
import dev.oriel.compare.pairs.Making;
import dev.oriel.compare.pairs.Matrix;
import dev.oriel.compare.pairs.Messages;
import dev.oriel.compare.pairs.Mixing;
import dev.oriel.compare.pairs.Numbers;
import dev.oriel.compare.pairs.Operators;
import dev.oriel.compare.pairs.Optionals;
import dev.oriel.compare.pairs.Orders;
import dev.oriel.compare.pairs.Packets;
import dev.oriel.compare.pairs.Parsing;
import dev.oriel.compare.pairs.Permits;
import dev.oriel.compare.pairs.Points;
import dev.oriel.compare.pairs.Polling;
import dev.oriel.compare.pairs.Pool;
import dev.oriel.compare.pairs.Pricing;
import dev.oriel.compare.pairs.Quotes;
import dev.oriel.compare.pairs.Ranking;
import dev.oriel.compare.pairs.Reading;
import dev.oriel.compare.pairs.Receiving;
import dev.oriel.compare.pairs.Retries;
import dev.oriel.compare.pairs.Revenue;
import dev.oriel.compare.pairs.Rolling;
import dev.oriel.compare.pairs.Saving;
import dev.oriel.compare.pairs.Seen;
import dev.oriel.compare.pairs.Settings;
import dev.oriel.compare.pairs.Shapes;
import dev.oriel.compare.pairs.Sizes;
import dev.oriel.compare.pairs.Sorting;
import dev.oriel.compare.pairs.Starting;
import dev.oriel.compare.pairs.Stock;
import dev.oriel.compare.pairs.Striding;
import dev.oriel.compare.pairs.Sweeping;
import dev.oriel.compare.pairs.Touring;
import dev.oriel.compare.pairs.Tracing;
import dev.oriel.compare.pairs.Visiting;
import dev.oriel.compare.pairs.Visits;
import dev.oriel.compare.pairs.Waiting;
import dev.oriel.compare.pairs.Ways;
import dev.oriel.compare.pairs.Windows;
import java.util.List;

/// The known changes, a growing list. `scripts/compare-proof changes` makes each comparison and scores it.
final class KnownChanges {
    static final List<KnownChange> ALL =
            List.of(
                    // computing
                    change("CPU", Pricing.class, "order", "tax", 8_000).alsoIn("price").by(3),
                    change("CPU", Pricing.class, "order", "tax", 8_000).alsoIn("price").by(5),
                    change("CPU", Pricing.class, "order", "tax", 8_000).alsoIn("price").by(10),
                    change("CPU", Pricing.class, "order", "tax", 8_000).alsoIn("price").by(20),
                    change("CPU", Parsing.class, "parse", "number", 20_000)
                            .alsoIn("document value"),
                    change("CPU", Json.class, "read", "$Reader.string", 50_000)
                            .alsoIn("$Reader.value $Reader.object $Reader.array"),
                    change("CPU", Filters.class, "send", "checksum bits", 100_000)
                            .alsoIn("lambda$after"),
                    change("CPU", Exchange.class, "pack", "compress", 3_500).alsoIn("encode"),
                    change("CPU", Handlers.class, "publish", "lambda$statistics", 15_000),
                    change("CPU", Operators.class, "execute", "$Operator$2.apply", 20_000),
                    change("CPU", Ranking.class, "rank", "score", 1_000).alsoIn("lambda$rank"),
                    change("CPU", Quotes.class, "quote", "rate", 3_500).alsoIn("lambda$quote"),
                    change("CPU", Sweeping.class, "serve", "sweep", 2_500).alsoIn("lambda$main"),
                    change("CPU", Buckets.class, "histogram", "bucket", 12_000),
                    change("CPU", Building.class, "print", "$Ticket.<init>", 10_000),
                    // regular expressions, texts, streams, collections
                    change("library", Mails.class, "check", "isMail", 8_000),
                    change("library", Dates.class, "calendar", "text", 8_000),
                    change("library", Sorting.class, "sort", "byName", 50_000),
                    change("library", Lexicon.class, "translate", "order lookup", 8_000),
                    change("library", Seen.class, "distinct", "isNew", 70_000),
                    change("library", Waiting.class, "day", "next", 900),
                    change("library", Sizes.class, "turn", "offer", 10_000),
                    change("library", Escaping.class, "page", "escape", 40_000).alsoIn("row"),
                    change(
                            "library",
                            Keys.class,
                            "visit",
                            "$Place.hashCode $Place.equals find",
                            7_000),
                    change("library", Numbers.class, "table", "cell", 4_500),
                    change("library", Touring.class, "plan", "length lambda$length", 7_000),
                    change("library", Windows.class, "day", "window", 15_000),
                    change("library", Colours.class, "picture", "add", 5_000),
                    // allocation
                    change("allocation", Making.class, "operation", "make", 20_000),
                    change("allocation", Greeting.class, "letter", "names", 24_000),
                    change("allocation", Revenue.class, "report", "revenue", 30_000),
                    change("allocation", Packets.class, "deliver", "encode", 16_000),
                    change("allocation", Points.class, "way", "distance", 11_000)
                            .alsoIn("$Point.minus $Point.<init>"),
                    change("allocation", Basket.class, "total", "items", 20_000),
                    change("allocation", Tracing.class, "pay", "book", 16_000),
                    change("allocation", Optionals.class, "configure", "find", 30_000),
                    change("GC", Rolling.class, "request", "remember", 6_000).with("-Xmx48m"),
                    // calls
                    change(
                            "calls",
                            Orders.class,
                            "$Front.accept",
                            "validate $Service.store",
                            3_500),
                    change("calls", Invoices.class, "print", "customer", 80_000),
                    change("calls", Retries.class, "deliver", "attempt send", 4_000),
                    change("calls", Lru.class, "serve", "load page", 5_000),
                    change("calls", Receiving.class, "receive", "checksum", 16_000).alsoIn("serve"),
                    // recursion
                    change("recursion", Visiting.class, "walk", "visit", 10_000),
                    change("recursion", Ways.class, "climb", "count", 11_000),
                    change("recursion", Branches.class, "search", "$Node.find", 4_000),
                    change("recursion", Formula.class, "evaluate", "$Times.value", 9_000)
                            .alsoIn("$Plus.value $Negative.value"),
                    // locks
                    change("lock", Locking.class, "transfer", "book", 8_000).alsoIn("serve"),
                    change("lock", Counters.class, "visit", "count", 6_000),
                    change("lock", Pool.class, "request", "borrow $Connection.isAlive", 8_000)
                            .alsoIn("giveBack"),
                    change("lock", Stock.class, "ask", "available", 4_000),
                    change("lock", Bank.class, "book", "audit", 6_000).alsoIn("deposit"),
                    // waits
                    change("wait", Fetching.class, "answer", "fetch", 2_000),
                    change("wait", Batches.class, "add", "flush", 5_000),
                    change("wait", Polling.class, "ask", "next", 400).alsoIn("serve"),
                    change("I/O", Saving.class, "save", "write", 800),
                    change("I/O", Journal.class, "log", "append", 1_000),
                    change("I/O", Reading.class, "count", "line open", 3_000),
                    change("I/O", Echo.class, "ask", "route", 2_500).alsoIn("serve lambda$main"),
                    // virtual threads
                    change("virtual threads", Messages.class, "accept", "decode", 5_000)
                            .alsoIn("handle lambda$accept"),
                    change("virtual threads", Visits.class, "visit", "fetch", 4_000),
                    change("virtual threads", Permits.class, "request", "enter", 1_500),
                    // what the compiler and the caches do
                    change("polymorphism", Shapes.class, "measure", "total", 20_000)
                            .alsoIn("$Square.area $Bar.area $Frame.area $Strip.area"),
                    change("inlining", Mixing.class, "digest", "mix hash", 30_000)
                            .changedBy(
                                    "-XX:CompileCommand=quiet",
                                    "-XX:CompileCommand=dontinline,*Mixing.mix"),
                    change("cache misses", Matrix.class, "multiply", "dot", 250),
                    change("cache misses", Striding.class, "look", "brightness", 1_200),
                    change("cache misses", Boxes.class, "add", "total", 350),
                    // starting
                    change("start", Settings.class, "", "$Table.fill $Table.<clinit>", 1)
                            .alsoIn("read lambda$main main"),
                    change("start", Starting.class, "", "register", 1).alsoIn("main"));

    private KnownChanges() {}

    static KnownChange in(Class<?> program) {
        return ALL.stream().filter(each -> each.program() == program).findFirst().orElseThrow();
    }
}

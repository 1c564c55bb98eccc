package dev.skein.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Runs the benches named on the command line, or all, and prints one table. With `--check`, exits with 1 if a bound
/// is missed.
public final class Main {

    private static final List<Bench> BENCHES = List.of(
            new AppendBench(),
            new DurableBench(),
            new OpenBench(),
            new LoadBench(),
            new ListBench(),
            new ForkBench(),
            new SearchBench(),
            new EngineBench(),
            new JdbcBench(),
            new McpBench(),
            new ServerBench(),
            new TailsBench(),
            new StalledBench());

    private Main() {}

    public static void main(String[] args) throws IOException {
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        var err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        var names = new ArrayList<>(List.of(args));
        var check = names.remove("--check");
        var known = BENCHES.stream().map(Bench::name).collect(Collectors.toSet());
        var unknown = names.stream().filter(name -> !known.contains(name)).findFirst();
        if (unknown.isPresent()) {
            err.println("There is no bench '%s'. Give --check, names, or nothing for all:".formatted(unknown.get()));
            BENCHES.forEach(bench -> err.println("  %-8s  %s".formatted(bench.name(), bench.question())));
            System.exit(2);
        }
        var report = new Report(err);
        var directory = Path.of(System.getProperty("skein.bench.directory", System.getProperty("java.io.tmpdir")));
        try (var lab = Lab.in(directory)) {
            out.println(header(args, lab));
            for (var bench : BENCHES) {
                if (names.isEmpty() || names.contains(bench.name())) {
                    err.println(bench.question() + "…");
                    bench.run(lab, report);
                }
            }
        }
        report.print(out);
        if (check && report.over() > 0) {
            System.exit(1);
        }
    }

    /// What one must know to compare two tables.
    private static String header(String[] args, Lab lab) throws IOException {
        var now = Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS);
        var command = ("bin/bench " + String.join(" ", args)).strip();
        var java = Runtime.version() + ", " + System.getProperty("java.vm.name");
        var machine = "%d cores, %s %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"));
        return """
                %s
                JDK %s; %s
                disk %s; %s
                """.formatted(command, java, machine, lab.disk(), now);
    }
}

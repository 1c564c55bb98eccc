package dev.skein.bench;

import java.io.IOException;

/// One question about cost.
interface Bench {

    /// How it is called on the command line.
    String name();

    /// What is asked, in a few words.
    String question();

    /// Measures, and adds what it found to the report.
    void run(Lab lab, Report report) throws IOException;
}

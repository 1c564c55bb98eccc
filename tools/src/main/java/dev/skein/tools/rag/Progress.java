package dev.skein.tools.rag;

/// Hears how far a build has come. Called by the thread that builds.
@FunctionalInterface
public interface Progress {

    Progress SILENT = (_, _, _) -> {};

    /// Called before each document, and at the end.
    ///
    /// @param done how many documents are done
    /// @param document the one that is next; empty at the end
    void at(int done, int total, String document);
}

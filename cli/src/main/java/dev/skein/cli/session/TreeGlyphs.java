package dev.skein.cli.session;

import dev.skein.session.LoopStatus;

/// The characters a tree is drawn with.
enum TreeGlyphs {
    BOXES("├─ ", "└─ ", "│  ", "   ", " · ", "↳ ", "  ★ chosen", "  ◀ head", "◌◐?●⊘✗"),
    ASCII("|- ", "`- ", "|  ", "   ", ", ", "-> ", "  [chosen]", "  <- head", ".>?*!x");

    private final String branch;
    private final String lastBranch;
    private final String besides;
    private final String blank;
    private final String dot;
    private final String link;
    private final String winner;
    private final String head;
    /// One for each status, in their order.
    private final String statuses;

    TreeGlyphs(
            String branch,
            String lastBranch,
            String besides,
            String blank,
            String dot,
            String link,
            String winner,
            String head,
            String statuses) {
        this.branch = branch;
        this.lastBranch = lastBranch;
        this.besides = besides;
        this.blank = blank;
        this.dot = dot;
        this.link = link;
        this.winner = winner;
        this.head = head;
        this.statuses = statuses;
    }

    String branch() {
        return branch;
    }

    String lastBranch() {
        return lastBranch;
    }

    String besides() {
        return besides;
    }

    String blank() {
        return blank;
    }

    String dot() {
        return dot;
    }

    String link() {
        return link;
    }

    String winner() {
        return winner;
    }

    String head() {
        return head;
    }

    char of(LoopStatus status) {
        return statuses.charAt(
                switch (status) {
                    case PENDING -> 0;
                    case RUNNING -> 1;
                    case WAITING -> 2;
                    case COMPLETED -> 3;
                    case REJECTED -> 4;
                    case ABORTED -> 5;
                });
    }
}

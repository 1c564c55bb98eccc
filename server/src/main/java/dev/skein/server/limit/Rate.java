package dev.skein.server.limit;

/// So many a second in the long run, and so many at a stroke.
public record Rate(double perSecond, int burst) {

    public Rate {
        if (!(perSecond > 0) || burst < 1) {
            throw new IllegalArgumentException("a rate is more than 0 a second and at least 1 at a stroke");
        }
    }
}

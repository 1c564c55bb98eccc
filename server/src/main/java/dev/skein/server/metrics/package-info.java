/// What is counted and measured while the server runs, as Prometheus reads it.
@NullMarked
package dev.skein.server.metrics;

import org.jspecify.annotations.NullMarked;

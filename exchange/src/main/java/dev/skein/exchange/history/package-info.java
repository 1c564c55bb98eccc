/// What was said elsewhere, written down as events of a session.
@NullMarked
package dev.skein.exchange.history;

import org.jspecify.annotations.NullMarked;

/// How much one caller may ask, at once and over time, and how long anybody may take.
@NullMarked
package dev.skein.server.limit;

import org.jspecify.annotations.NullMarked;

/// The tools that come with Skein, and how they are put together. Begin with [BuiltInTools]; each feature has a
/// package of its own below this one. Who may call them is not decided here but by the engine's permissions.
@NullMarked
package dev.skein.tools;

import org.jspecify.annotations.NullMarked;

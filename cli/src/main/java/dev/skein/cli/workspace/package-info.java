/// What the directory one works in says to models: its `AGENTS.md`. Begin with [WorkspaceInstructions].
@NullMarked
package dev.skein.cli.workspace;

import org.jspecify.annotations.NullMarked;

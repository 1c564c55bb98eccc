/// `skein agents`: which agents there are, and what each is. Begin with [AgentCommands].
@NullMarked
package dev.skein.cli.agents;

import org.jspecify.annotations.NullMarked;

package dev.skein.cli.agents;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.settings.AgentFiles;
import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Table;
import dev.skein.cli.terminal.Table.Column;
import dev.skein.engine.agent.AgentSpec;
import dev.skein.failure.SkeinException;
import dev.skein.message.Excerpt;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `skein agents list`
@Command(name = "list", description = "List the agents.")
final class ListAgents implements Runnable {

    private static final int TASK_MAX = 60;

    private final Program program;

    @Mixin
    private final JsonOption json = new JsonOption();

    ListAgents(Program program) {
        this.program = program;
    }

    /// What `--json` answers.
    private record Listing(List<AgentSpec> agents, List<String> problems) {}

    @Override
    public void run() {
        list(program, json.wanted());
    }

    static void list(Program program, boolean asJson) {
        var agents = program.agents();
        var found = new ArrayList<AgentSpec>();
        var problems = new ArrayList<String>();
        for (var name : agents.names()) {
            try {
                agents.find(name).ifPresent(found::add);
            } catch (SkeinException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        if (asJson) {
            program.answer(new Listing(found, problems));
            return;
        }
        show(program, found, agents);
        var terminal = program.terminal();
        problems.forEach(
                problem -> terminal.note(terminal.paint(Style.YELLOW, "warning:") + " " + terminal.stored(problem)));
    }

    private static void show(Program program, List<AgentSpec> found, AgentFiles agents) {
        var terminal = program.terminal();
        if (found.isEmpty()) {
            terminal.line("no agents yet; write one as "
                    + terminal.stored(agents.directory() + "/NAME/" + AgentFiles.CONFIG) + " (docs/agents.md)");
            return;
        }
        var table = new Table(List.of(Column.of("AGENT"), Column.of("MODEL"), Column.of("")));
        for (var agent : found) {
            table.add(List.of(
                    agent.name(), agent.model() == null ? "-" : agent.model().toString(), about(agent)));
        }
        table.print(terminal);
    }

    private static String about(AgentSpec agent) {
        return agent.description() == null ? Excerpt.line(agent.instructions().text(), TASK_MAX) : agent.description();
    }
}

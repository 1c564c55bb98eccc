package dev.skein.cli.repl;

import dev.skein.cli.agents.AgentSheet;
import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Nearest;
import dev.skein.engine.agent.ActiveAgent;
import dev.skein.engine.agent.AgentSpec;
import dev.skein.message.Part;
import java.util.List;
import java.util.Map;

/// The commands about agents.
final class AgentDots {

    private final Program program;
    private final Desk desk;
    private final Turn turn;

    AgentDots(Program program, Desk desk, Turn turn) {
        this.program = program;
        this.desk = desk;
        this.turn = turn;
    }

    void agent(String name) {
        var agents = program.ai().app().agents();
        if (name.isEmpty()) {
            if (agents.names().isEmpty()) {
                say("no agents yet; write one as " + program.home().resolve("agents/NAME/config.yaml"));
            }
            var active = desk.agent().map(AgentSpec::name);
            agents.names()
                    .forEach(each -> say(each + (active.filter(each::equals).isPresent() ? " (this one)" : "")));
            return;
        }
        var agent = find(name);
        desk.meet(agent.name(), Map.of());
        say("'" + agent.name() + "' answers from now on, in sessions of its own; .exit agent ends that");
        if (!agent.starters().isEmpty()) {
            say(".starter lists what you might say first");
        }
    }

    void info(String name) {
        var agent = name.isEmpty() ? active() : find(name);
        AgentSheet.of(agent).forEach(this::say);
    }

    void starter(String number) {
        var agent = active();
        var starters = ActiveAgent.of(agent, desk.settings().agentVariables()).starters();
        if (starters.isEmpty()) {
            throw CommandFailure.usage("'" + agent.name() + "' has no starters; just say something");
        }
        if (number.isEmpty()) {
            for (int i = 0; i < starters.size(); i++) {
                say((i + 1) + ". " + starters.get(i));
            }
            return;
        }
        turn.say(List.of(new Part.Text(starters.get(index(number, starters.size())))));
    }

    private static int index(String number, int size) {
        try {
            var index = Integer.parseInt(number);
            if (index >= 1 && index <= size) {
                return index - 1;
            }
        } catch (NumberFormatException _) {
            // Told below.
        }
        throw CommandFailure.usage("there is no starter '" + number + "'; there are 1 to " + size);
    }

    void exit() {
        var agent = active();
        desk.part();
        say("'" + agent.name() + "' does not answer any more");
    }

    private AgentSpec active() {
        return desk.agent().orElseThrow(() -> CommandFailure.usage("no agent is on; .agent lists them"));
    }

    private AgentSpec find(String name) {
        var agents = program.ai().app().agents();
        return agents.find(name)
                .orElseThrow(() -> CommandFailure.usage("there is no agent '" + name + "'; "
                        + Nearest.to(name, agents.names())
                                .map(near -> "did you mean '" + near + "'?")
                                .orElse(".agent lists them")));
    }

    private void say(String text) {
        text.lines().forEach(line -> program.terminal().line(program.terminal().stored(line)));
    }
}

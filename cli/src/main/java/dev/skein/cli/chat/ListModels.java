package dev.skein.cli.chat;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Table;
import dev.skein.cli.terminal.Table.Column;
import dev.skein.provider.ProviderRegistry.Listed;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `skein models`
@Command(name = "models", description = "List the models that can be used; others can be named as well.")
public final class ListModels implements Runnable {

    private final Program program;

    @Option(names = "--all", description = "Also those whose provider has no key here.")
    private boolean all;

    @Mixin
    private final JsonOption json = new JsonOption();

    public ListModels(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        var models = program.ai().models();
        var listed = models.listing().stream()
                .filter(model -> all || model.isConfigured())
                .toList();
        if (json.wanted()) {
            program.answer(new Listing(models.defaultModel().toString(), listed));
            return;
        }
        var table = new Table(List.of(
                Column.of("MODEL"),
                Column.ofNumbers("WINDOW"),
                Column.ofNumbers("$ IN"),
                Column.ofNumbers("$ OUT"),
                Column.of("")));
        listed.forEach(model -> table.add(row(model, models.defaultModel().toString())));
        table.print(program.terminal());
        if (!all) {
            program.terminal().note("dollars per million tokens; --all shows those that need a key");
        }
    }

    /// What `--json` answers.
    private record Listing(String defaultModel, List<Listed> models) {}

    private static List<String> row(Listed listed, String defaultModel) {
        var model = listed.model();
        var name = model.name().toString();
        return List.of(
                name,
                model.contextWindow() == null ? "-" : "%,d".formatted(model.contextWindow()),
                model.prices() == null ? "-" : model.prices().input().toPlainString(),
                model.prices() == null ? "-" : model.prices().output().toPlainString(),
                name.equals(defaultModel) ? "default" : listed.isConfigured() ? "" : "needs a key");
    }
}

package dev.skein.server.openai;

import dev.skein.message.Part;
import dev.skein.server.http.Fields;
import dev.skein.server.http.HttpFailure;
import dev.skein.tool.Question;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import tools.jackson.databind.node.JsonNodeFactory;

/// A tool that the client runs. For the engine it is a question: the run rests until the client brings the result.
record ClientTool(ToolSpec spec) implements Question {

    static ClientTool of(Fields tool) {
        if (!tool.optionalText("type").orElse("function").equals("function")) {
            throw HttpFailure.invalid("field '" + tool.path() + "type' must be 'function'");
        }
        var function = tool.object("function");
        var parameters = function.optionalObject("parameters")
                .orElseGet(() -> JsonNodeFactory.instance.objectNode().put("type", "object"));
        return new ClientTool(new ToolSpec(
                function.text("name"),
                function.optionalText("description").orElse(""),
                parameters,
                ToolSpec.Repeat.UNSAFE,
                ToolSpec.Effect.ACTS));
    }

    @Override
    public ToolOutcome answered(Part.ToolCall call, String answer) {
        return ToolOutcome.Answered.text(answer);
    }
}

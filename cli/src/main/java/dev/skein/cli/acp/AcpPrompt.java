package dev.skein.cli.acp;

import dev.skein.message.Part;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// What a person said in the editor: words, pictures, links, and files that the editor put in.
final class AcpPrompt {

    private AcpPrompt() {}

    static List<Part> parts(JsonNode blocks) {
        var parts = new ArrayList<Part>();
        for (var block : blocks) {
            switch (block.path("type").asString("")) {
                case "text" -> parts.add(new Part.Text(block.path("text").asString("")));
                case "image" ->
                    parts.add(new Part.Image(
                            block.path("mimeType").asString(null),
                            block.path("data").asString(""),
                            null,
                            null));
                case "resource_link" ->
                    parts.add(new Part.Text("See " + block.path("uri").asString("")));
                case "resource" -> {
                    var resource = block.path("resource");
                    var name = resource.path("uri").asString("");
                    parts.add(
                            new Part.Text(name + ":\n\n" + resource.path("text").asString("(not a text)")));
                }
                default -> {
                    // What was not offered in the greeting is not sent by who keeps to it.
                }
            }
        }
        if (parts.isEmpty()) {
            throw new AcpFailure(AcpFailure.INVALID_PARAMS, "there is nothing in the prompt that can be read");
        }
        return parts;
    }
}

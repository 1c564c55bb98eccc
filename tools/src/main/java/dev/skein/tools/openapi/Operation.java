package dev.skein.tools.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.Refused;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One operation: what a model is told of it, and how its arguments become a request.
///
/// @param parameters of the model's call, as a JSON schema
record Operation(
        String id, String method, String path, String description, ObjectNode parameters, List<Parameter> places) {

    private static final String BODY = "body";
    private static final int NAME_MAX = 64;
    private static final int DESCRIPTION_MAX = 2_000;
    private static final Set<String> SAFE = Set.of("get", "head");

    /// Those that say who we are or what is sent are not for a model to choose.
    private static final Set<String> RESERVED = Set.of(
            "authorization",
            "proxy-authorization",
            "cookie",
            "host",
            "content-type",
            "content-length",
            "accept",
            "connection",
            "transfer-encoding",
            "upgrade",
            "expect",
            "te",
            "trailer",
            "origin",
            "referer");

    /// Where an argument goes.
    record Parameter(String name, Place place, boolean required) {}

    enum Place {
        PATH,
        QUERY,
        HEADER,
        BODY
    }

    /// What is sent, below the address of the service.
    record Request(
            String method,
            String target,
            List<String> headers,
            @Nullable String body) {}

    static Operation of(String path, String method, JsonNode shared, JsonNode operation, Schemas schemas) {
        var places = new LinkedHashMap<String, Parameter>();
        var properties = new LinkedHashMap<String, JsonNode>();
        for (var source : List.of(shared.path("parameters"), operation.path("parameters"))) {
            for (var each : source) {
                add(schemas.followed(each), schemas, places, properties);
            }
        }
        if (operation.has("requestBody")) {
            addBody(schemas.followed(operation.path("requestBody")), schemas, places, properties);
        }
        var parameters = Schemas.object();
        parameters.putObject("properties").setAll(properties);
        var required = parameters.putArray("required");
        places.values().stream().filter(Parameter::required).forEach(each -> required.add(each.name()));
        var id = operation.path("operationId").asString(method + path);
        var summary = operation.path("summary").asString("");
        var words = (summary + "\n" + operation.path("description").asString("")).strip();
        var description = words.isEmpty() ? method.toUpperCase(Locale.ROOT) + " " + path : words;
        return new Operation(
                id,
                method,
                path,
                description.length() <= DESCRIPTION_MAX ? description : description.substring(0, DESCRIPTION_MAX),
                parameters,
                List.copyOf(places.values()));
    }

    private static void add(
            JsonNode given,
            Schemas schemas,
            LinkedHashMap<String, Parameter> places,
            LinkedHashMap<String, JsonNode> properties) {
        var name = given.path("name").asString("");
        var required = given.path("required").asBoolean(false);
        var place = switch (given.path("in").asString("")) {
            case "path" -> Place.PATH;
            case "query" -> Place.QUERY;
            case "header" -> RESERVED.contains(name.toLowerCase(Locale.ROOT)) ? null : Place.HEADER;
            default -> null;
        };
        if (place == null || name.isEmpty() || name.equals(BODY)) {
            if (required) {
                throw new IllegalArgumentException("needs '" + name + "', which cannot be given here");
            }
            return;
        }
        places.put(name, new Parameter(name, place, required || place == Place.PATH));
        properties.put(name, described(schemas.whole(given.path("schema")), given.path("description")));
    }

    private static void addBody(
            JsonNode given,
            Schemas schemas,
            LinkedHashMap<String, Parameter> places,
            LinkedHashMap<String, JsonNode> properties) {
        var json = given.path("content").path("application/json");
        var required = given.path("required").asBoolean(false);
        if (json.isMissingNode()) {
            if (required) {
                throw new IllegalArgumentException("needs a body that is not JSON, which cannot be given here");
            }
            return;
        }
        places.put(BODY, new Parameter(BODY, Place.BODY, required));
        properties.put(BODY, schemas.whole(json.path("schema")));
    }

    private static JsonNode described(JsonNode schema, JsonNode description) {
        return schema instanceof ObjectNode object && description.isString() && !object.has("description")
                ? object.put("description", description.stringValue())
                : schema.isMissingNode() ? Schemas.object().put("type", "string") : schema;
    }

    /// Letters, digits, `_` and `-`, as providers want them.
    String name(String prefix) {
        var name = (prefix + "_" + id).replaceAll("[^A-Za-z0-9_-]+", "_").replaceAll("_+$", "");
        return name.length() <= NAME_MAX ? name : name.substring(0, NAME_MAX);
    }

    ToolSpec.Repeat repeat() {
        return SAFE.contains(method) ? ToolSpec.Repeat.SAFE : ToolSpec.Repeat.UNSAFE;
    }

    /// @throws Refused if an argument is missing or of no use
    Request request(JsonNode arguments) {
        var target = path;
        var query = new ArrayList<String>();
        var headers = new ArrayList<String>();
        String body = null;
        for (var each : places) {
            var value = arguments.path(each.name());
            if (value.isMissingNode() || value.isNull()) {
                if (each.required()) {
                    throw new Refused("argument '" + each.name() + "' is missing; give it");
                }
                continue;
            }
            switch (each.place()) {
                case PATH -> target = target.replace("{" + each.name() + "}", segment(each, value));
                case QUERY -> query.addAll(pairs(each, value));
                case HEADER -> headers.addAll(List.of(each.name(), line(each, value)));
                case BODY -> body = value.toString();
            }
        }
        if (target.contains("{")) {
            throw new Refused("the address '" + target + "' has a part that no argument fills; the document is wrong");
        }
        var whole = query.isEmpty() ? target : target + "?" + String.join("&", query);
        return new Request(method.toUpperCase(Locale.ROOT), whole, List.copyOf(headers), body);
    }

    /// One part of a path: it cannot lead to another.
    private static String segment(Parameter parameter, JsonNode value) {
        var text = text(parameter, value);
        if (text.isEmpty() || text.equals(".") || text.equals("..")) {
            throw new Refused("argument '" + parameter.name() + "' cannot be '" + text + "' in an address");
        }
        return encoded(text);
    }

    private static List<String> pairs(Parameter parameter, JsonNode value) {
        var pairs = new ArrayList<String>();
        for (var item : value.isArray() ? value : List.of(value)) {
            pairs.add(encoded(parameter.name()) + "=" + encoded(text(parameter, item)));
        }
        return pairs;
    }

    private static String line(Parameter parameter, JsonNode value) {
        var text = text(parameter, value);
        if (!text.chars().allMatch(each -> each >= ' ' && each < 0x7f)) {
            throw new Refused("argument '" + parameter.name() + "' has characters that a header cannot have");
        }
        return text;
    }

    private static String text(Parameter parameter, JsonNode value) {
        if (!value.isValueNode()) {
            throw new Refused("argument '" + parameter.name() + "' is not a text or number; give one");
        }
        return value.asString("");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }
}

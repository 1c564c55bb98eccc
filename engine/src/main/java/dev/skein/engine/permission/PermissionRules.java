package dev.skein.engine.permission;

import dev.skein.message.Part;
import dev.skein.tool.ToolSpec;
import java.util.List;
import java.util.Optional;

/// Three lists of rules. Whatever a rule denies is denied, whatever one asks about is asked, whatever one allows is
/// allowed, in this order. A call that no rule speaks of may run if its tool only reads, and is asked about otherwise:
/// the text of a conversation never decides, wherever it comes from.
public record PermissionRules(List<Rule> deny, List<Rule> ask, List<Rule> allow) implements Permissions {

    /// No rules: what reads may, what acts is asked about.
    public static final PermissionRules STANDARD = new PermissionRules(List.of(), List.of(), List.of());

    public PermissionRules {
        deny = List.copyOf(deny);
        ask = List.copyOf(ask);
        allow = List.copyOf(allow);
    }

    /// Rules as people write them, see [Rule#parse].
    ///
    /// @throws dev.skein.failure.InvalidRequest if one is not a rule; says which and why
    public static PermissionRules parse(List<String> deny, List<String> ask, List<String> allow) {
        return new PermissionRules(
                deny.stream().map(Rule::parse).toList(),
                ask.stream().map(Rule::parse).toList(),
                allow.stream().map(Rule::parse).toList());
    }

    /// What these rules say counts before what the others do, except that what the others deny stays denied.
    public Permissions before(Permissions others) {
        return (tool, call) -> {
            var theirs = others.decide(tool, call);
            return theirs instanceof Decision.Deny ? theirs : ruled(call).orElse(theirs);
        };
    }

    @Override
    public Decision decide(ToolSpec tool, Part.ToolCall call) {
        return ruled(call).orElseGet(() -> switch (tool.effect()) {
            case READS -> new Decision.Allow();
            case ACTS -> new Decision.Ask(call.name() + " can change things");
        });
    }

    /// What a rule says about the call; empty if none speaks of it.
    private Optional<Decision> ruled(Part.ToolCall call) {
        for (var rule : deny) {
            if (rule.matches(call)) {
                return Optional.of(new Decision.Deny("the rule '" + rule + "' denies it"));
            }
        }
        for (var rule : ask) {
            if (rule.matches(call)) {
                return Optional.of(new Decision.Ask("the rule '" + rule + "' asks about it"));
            }
        }
        for (var rule : allow) {
            if (rule.allows(call)) {
                return Optional.of(new Decision.Allow());
            }
        }
        return Optional.empty();
    }
}

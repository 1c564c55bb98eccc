package dev.skein.tools.process;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The part of our environment that programs we start get to see. What is not allowed by its name is left out, so keys
/// of providers and the like never reach them.
public record ChildEnvironment(Map<String, String> variables) {

    private static final Set<String> ALLOWED =
            Set.of("PATH", "HOME", "LANG", "LANGUAGE", "TERM", "TMPDIR", "USER", "LOGNAME", "SHELL", "TZ");
    private static final String ALLOWED_PREFIX = "LC_";

    public ChildEnvironment {
        variables = Map.copyOf(variables);
    }

    /// What is allowed of `ours`: the usual names, and those a person added.
    public static ChildEnvironment of(Map<String, String> ours, Set<String> more) {
        var visible = new TreeMap<String, String>();
        ours.forEach((name, value) -> {
            if (ALLOWED.contains(name) || name.startsWith(ALLOWED_PREFIX) || more.contains(name)) {
                visible.put(name, value);
            }
        });
        return new ChildEnvironment(visible);
    }

    /// These as well, whatever they are.
    public ChildEnvironment with(Map<String, String> more) {
        var visible = new TreeMap<>(variables);
        visible.putAll(more);
        return new ChildEnvironment(visible);
    }
}

package dev.skein.provider.openai;

import dev.skein.session.OutputShape;
import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/// Which servers would not hold a model to a shape, and so have to be told it in words. Many that speak OpenAI's
/// dialect know no `response_format` with a schema, not this schema, or not beside tools, and refuse the whole request.
///
/// The newest [#REMEMBERED_MAX] are remembered; a server that is forgotten is asked again, at the cost of one refusal.
/// Safe for use by many threads.
public final class RefusedFormats {

    private static final int REMEMBERED_MAX = 1_000;

    /// What servers call it when they refuse it: llama.cpp, LM Studio, vLLM, DeepSeek, Groq, OpenAI.
    private static final Pattern WORDS = Pattern.compile(
            "response[_ ]?format|json[_ ]?(?:schema|mode)|structured[_ ]outputs?|grammar|guided[_ ]",
            Pattern.CASE_INSENSITIVE);

    private final Set<Refused> remembered = Collections.synchronizedSet(new LinkedHashSet<>());

    /// Schemas are large; of two with the same hash one is needlessly told in words.
    private record Refused(URI address, String model, boolean withTools, int shape) {}

    /// Whether a refusal is about the format, as far as one can tell. Some servers call it a failure of their own.
    static boolean isOne(int status, String words) {
        return switch (status) {
            case 400, 422, 500, 501 -> WORDS.matcher(words).find();
            default -> false;
        };
    }

    boolean has(URI address, String model, boolean withTools, OutputShape shape) {
        return remembered.contains(new Refused(address, model, withTools, shape.hashCode()));
    }

    void add(URI address, String model, boolean withTools, OutputShape shape) {
        synchronized (remembered) {
            if (remembered.size() >= REMEMBERED_MAX) {
                remembered.remove(remembered.iterator().next());
            }
            remembered.add(new Refused(address, model, withTools, shape.hashCode()));
        }
    }
}

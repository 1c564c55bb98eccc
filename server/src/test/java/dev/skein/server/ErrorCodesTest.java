package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.failure.FailureKind;
import dev.skein.server.http.HttpFailure;
import dev.skein.server.http.Problem;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ErrorCodesTest {

    private static final Pattern ROW = Pattern.compile("\\| `([a-z_.]+)` \\| ([0-9]{3}) \\|[^|]+\\|");

    @Test
    void every_code_that_only_http_knows_is_explained_with_its_status_and_no_other() throws Exception {
        var documented = new TreeMap<String, Integer>();
        for (var line : Files.readAllLines(Path.of("").toAbsolutePath().resolveSibling("docs/errors.md"))) {
            var row = ROW.matcher(line);
            if (row.matches()) {
                documented.put(row.group(1), Integer.parseInt(row.group(2)));
            }
        }
        documented.put("request.invalid", 400);

        var raised = new TreeMap<String, Integer>();
        for (var maker : HttpFailure.class.getDeclaredMethods()) {
            if (Modifier.isStatic(maker.getModifiers())
                    && Modifier.isPublic(maker.getModifiers())
                    && !maker.getName().equals("again")) {
                var arguments = Arrays.stream(maker.getParameterTypes())
                        .map(type -> type == long.class ? (Object) 1L : "sample")
                        .toArray();
                var failure = (HttpFailure) maker.invoke(null, arguments);
                raised.put(failure.code(), failure.status());
            }
        }
        assertThat(raised).isEqualTo(documented);
    }

    @Test
    void no_kind_of_failure_is_a_defect() {
        assertThat(FailureKind.values()).allMatch(kind -> Problem.status(kind) != 500);
    }
}

package dev.skein.engine.output;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.dialect.DefaultDialectRegistry;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.DialectRegistry;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.NonValidationKeyword;
import dev.skein.failure.InvalidRequest;
import dev.skein.message.Excerpt;
import dev.skein.session.OutputShape;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Tells whether answers fit a schema. For one thread.
public final class ShapeCheck {

    private static final int PROBLEMS_MAX = 5;
    private static final int PROBLEM_LENGTH_MAX = 300;

    /// The drafts, without a word in the log about each keyword that they do not have.
    private static final DialectRegistry DRAFTS = new DefaultDialectRegistry(Stream.of(
                    Dialects.getDraft202012(),
                    Dialects.getDraft201909(),
                    Dialects.getDraft7(),
                    Dialects.getDraft6(),
                    Dialects.getDraft4())
            .map(draft -> Dialect.builder(draft)
                    .unknownKeywordFactory((keyword, _) -> new NonValidationKeyword(keyword))
                    .build())
            .toList());

    private final CheckBudget budget = new CheckBudget();
    private final Schema schema;

    private ShapeCheck(ObjectNode schema) {
        var config = SchemaRegistryConfig.builder()
                .regularExpressionFactory(budget::expression)
                .formatAssertionsEnabled(true)
                .locale(Locale.ROOT)
                .preloadSchema(true)
                .build();
        var registry = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                builder -> builder.dialectRegistry(DRAFTS)
                        .schemaRegistryConfig(config)
                        .schemaLoader(loader -> loader.fetchRemoteResources(false)));
        var anonymous = schema.deepCopy();
        anonymous.remove("$id");
        this.schema = registry.getSchema(anonymous);
        this.schema.initializeValidators();
    }

    /// A check for one run.
    ///
    /// @throws InvalidRequest if the schema cannot be used
    public static ShapeCheck of(OutputShape shape) {
        try {
            var check = new ShapeCheck(shape.schema());
            check.problems(JsonNodeFactory.instance.objectNode());
            return check;
        } catch (SchemaException | IllegalArgumentException e) {
            throw new InvalidRequest(
                    "the schema '" + shape.name() + "' cannot be used: " + shortened(String.valueOf(e.getMessage())));
        } catch (StackOverflowError _) {
            throw new InvalidRequest("the schema '" + shape.name()
                    + "' cannot be used: it refers to itself without end; let each round go one level deeper");
        } catch (CheckBudget.Exceeded e) {
            throw new InvalidRequest("the schema '" + shape.name() + "' cannot be used: " + e.getMessage());
        }
    }

    /// What is wrong with an answer, with the places in it; empty if it fits.
    public Optional<String> problem(String answer) {
        var reading = OutputShape.read(answer);
        if (reading.value() == null) {
            return Optional.of("it is not JSON: " + shortened(reading.problem()));
        }
        try {
            return told(problems(reading.value()));
        } catch (CheckBudget.Exceeded e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (StackOverflowError _) {
            return Optional.of("it nests too deep to be checked");
        }
    }

    private List<Error> problems(JsonNode value) {
        budget.renew();
        var context = budget.context();
        schema.validate(context, value);
        return context.getErrors();
    }

    private static Optional<String> told(List<Error> errors) {
        if (errors.isEmpty()) {
            return Optional.empty();
        }
        var shown = errors.stream()
                .limit(PROBLEMS_MAX)
                .map(error -> shortened(error.toString()))
                .collect(Collectors.joining("; "));
        var more = errors.size() - PROBLEMS_MAX;
        return Optional.of(more > 0 ? shown + "; and " + more + " more" : shown);
    }

    private static String shortened(String text) {
        return Excerpt.of(text, PROBLEM_LENGTH_MAX);
    }
}

package dev.skein.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.skein.message.Part;
import java.time.Instant;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.MapperBuilder;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/// How values look as JSON: snake case, nulls left out, times in ISO 8601, enums in lower case.
public final class Json {

    /// The longest text within one value, in characters.
    public static final int TEXT_MAX = 64 * 1024 * 1024;

    /// How deep values may nest, written as well as read: what could not be read back is not written.
    public static final int DEPTH_MAX = 200;

    /// The mapper for everything that is stored or sent.
    public static final JsonMapper MAPPER = configure(JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(TEXT_MAX)
                            .maxNestingDepth(DEPTH_MAX)
                            .build())
                    .streamWriteConstraints(StreamWriteConstraints.builder()
                            .maxNestingDepth(DEPTH_MAX)
                            .build())
                    .build()))
            .build();

    private Json() {}

    /// Gives another format's mapper (YAML, for example) the same shape.
    public static <B extends MapperBuilder<?, B>> B configure(B builder) {
        return builder.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .changeDefaultPropertyInclusion(
                        _ -> JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
                .addHandler(new UnknownFieldNote.Handler())
                .addModule(
                        new SimpleModule("skein") {
                            @Override
                            public void setupModule(SetupContext context) {
                                super.setupModule(context);
                                RecordInstantiators.install(context);
                            }
                        }.addDeserializer(Part.class, new PartDeserializer())
                                .addDeserializer(Instant.class, new InstantReader())
                                .addSerializer(Instant.class, new InstantWriter()));
    }
}

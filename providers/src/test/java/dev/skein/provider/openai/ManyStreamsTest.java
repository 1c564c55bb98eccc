package dev.skein.provider.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.skein.cancellation.Cancellation;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.model.ModelName;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelRequest;
import dev.skein.model.ReplyFragment;
import dev.skein.model.Sampling;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.provider.http.Endpoint;
import dev.skein.provider.http.Patience;
import dev.skein.provider.http.Secret;
import dev.skein.provider.http.StreamingHttp;
import dev.skein.testkit.provider.Answer;
import dev.skein.testkit.provider.Answer.Step;
import dev.skein.testkit.provider.Gate;
import dev.skein.testkit.provider.OpenAiWire;
import dev.skein.testkit.provider.ProviderServer;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ManyStreamsTest {

    private static final int STREAMS = 1_000;
    /// Each stream has a socket at both ends, and the tests around it need some, too.
    private static final int DESCRIPTORS_MIN = 3 * STREAMS;

    @Test
    @Timeout(120)
    void a_thousand_streams_are_open_at_the_same_time() throws Exception {
        assumeTrue(descriptorsMax() >= DESCRIPTORS_MIN, "too few file descriptors");
        var halfway = new CountDownLatch(STREAMS);
        var gate = new Gate();
        try (var server = ProviderServer.speaking(new OpenAiWire());
                var client = StreamingHttp.newClient()) {
            server.always(_ -> Answer.reply(new Step.Say("one "), new Step.WaitAt(gate), new Step.Say("two")));
            var model = new OpenAiModel(
                    ModelInfo.unknown(new ModelName("openai", "test")),
                    new Endpoint(server.baseUrl(), new Secret("key")),
                    new StreamingHttp(client, new Secret("key"), Patience.DEFAULT),
                    new RefusedFormats());

            var replies = IntStream.range(0, STREAMS)
                    .mapToObj(_ -> start(model, fragment -> {
                        if (fragment.equals(new ReplyFragment.Text("one "))) {
                            halfway.countDown();
                        }
                    }))
                    .toList();

            assertThat(halfway.await(60, TimeUnit.SECONDS))
                    .as("%d streams have not begun", halfway.getCount())
                    .isTrue();
            assertThat(replies).noneMatch(CompletableFuture::isDone);
            gate.open();
            assertThat(replies)
                    .allSatisfy(reply -> assertThat(reply.join().parts()).containsExactly(new Part.Text("one two")));
        }
    }

    private static CompletableFuture<ModelReply> start(OpenAiModel model, Consumer<ReplyFragment> fragments) {
        var message = Message.of(new MessageId("m"), Role.USER, Instant.EPOCH, "hi");
        var request = new ModelRequest(null, List.of(message), List.of(), Sampling.DEFAULT);
        return CompletableFuture.supplyAsync(
                () -> model.reply(request, fragments, new Cancellation()), Thread::startVirtualThread);
    }

    private static long descriptorsMax() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }
}

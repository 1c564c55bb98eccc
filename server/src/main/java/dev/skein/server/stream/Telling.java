package dev.skein.server.stream;

import dev.skein.live.LiveEvent;
import dev.skein.server.http.Problem;
import tools.jackson.databind.node.JsonNodeFactory;

/// How a stream tells what happens: as Skein does, or as another API would. One for each stream, used by one thread.
public interface Telling {

    /// The bytes that tell of it, perhaps none.
    byte[] of(LiveEvent event);

    /// Why the stream ends early.
    byte[] failure(Problem problem, String requestId);

    /// What stands at the end of a stream that told everything.
    default byte[] end() {
        return new byte[0];
    }

    /// Skein's own events.
    Telling OWN = new Telling() {
        @Override
        public byte[] of(LiveEvent event) {
            return Sse.event(event);
        }

        @Override
        public byte[] failure(Problem problem, String requestId) {
            var data = JsonNodeFactory.instance
                    .objectNode()
                    .put("request_id", requestId)
                    .put("code", problem.code())
                    .put("message", problem.message());
            return Sse.event("error", null, data);
        }
    };

    /// One event that has neither a name nor an id.
    static byte[] data(String text) {
        return Sse.event(null, null, text);
    }
}

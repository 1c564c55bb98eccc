package dev.skein.wire;

import dev.skein.session.SessionEvent;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.DeserializationProblemHandler;

/// Notices, while a value is read, that it has fields nobody here knows.
final class UnknownFieldNote {

    private boolean seen;

    boolean seen() {
        return seen;
    }

    /// Skips unknown fields and takes a note, if the reader was given one.
    static final class Handler extends DeserializationProblemHandler {
        @Override
        public boolean handleUnknownProperty(
                DeserializationContext context,
                JsonParser parser,
                ValueDeserializer<?> deserializer,
                Object beanOrClass,
                String propertyName) {
            if (context.getAttribute(UnknownFieldNote.class) instanceof UnknownFieldNote note
                    && !isTypeOfEvent(propertyName, deserializer)) {
                note.seen = true;
            }
            parser.skipChildren();
            return true;
        }

        /// An event's type is its class, not a field.
        private static boolean isTypeOfEvent(String name, ValueDeserializer<?> deserializer) {
            return name.equals("type") && SessionEvent.class.isAssignableFrom(deserializer.handledType());
        }
    }
}

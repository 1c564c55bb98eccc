package dev.skein.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import javax.sql.DataSource;
import org.springframework.ai.chat.memory.repository.jdbc.JdbcChatMemoryRepository;
import org.springframework.ai.chat.memory.repository.jdbc.PostgresChatMemoryRepositoryDialect;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;

/// A conversation as Spring AI keeps it on JDBC, in its own code: a turn reads all messages and saves all of them.
final class SpringMemory {

    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS spring_ai_chat_memory (conversation_id varchar(36) NOT NULL,
              content text NOT NULL, type varchar(10) NOT NULL, "timestamp" timestamp NOT NULL)""";
    private static final String INDEX =
            "CREATE INDEX IF NOT EXISTS spring_ai_memory ON spring_ai_chat_memory (conversation_id, \"timestamp\")";

    private final JdbcChatMemoryRepository repository;
    private final String conversation;

    SpringMemory(PlainInserts plain, DataSource source, int size) throws IOException {
        this.conversation = "of-" + size;
        try {
            plain.execute(TABLE);
            plain.execute(INDEX);
        } catch (SQLException e) {
            throw new IOException(e);
        }
        this.repository = JdbcChatMemoryRepository.builder()
                .dataSource(source)
                .dialect(new PostgresChatMemoryRepositoryDialect())
                .build();
        var messages = new ArrayList<Message>();
        for (int i = 0; i < size; i++) {
            var text = Lab.text(i % 1_000);
            messages.add(i % 2 == 0 ? new UserMessage(text) : new AssistantMessage(text));
        }
        repository.saveAll(conversation, messages);
    }

    void takeTurn() {
        repository.saveAll(conversation, repository.findByConversationId(conversation));
    }
}

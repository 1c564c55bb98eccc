package dev.skein.server.channel;

import dev.skein.server.http.Exchange;
import dev.skein.server.http.HttpFailure;
import dev.skein.server.run.Completion;
import dev.skein.server.run.RunStarter;
import dev.skein.server.run.RunStarter.Held;
import dev.skein.server.setup.ChannelRules;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.store.NewSession;
import dev.skein.store.query.PurgeSelection;
import java.util.Map;
import tools.jackson.databind.node.StringNode;

/// Takes what is said in a chat to the chat's own session.
public record ChannelRoutes(RunStarter starter, ChannelRules rules) {

    /// A chat goes on for ever; the model gets to see the newest of it.
    private static final int WINDOW = 50;

    public void say(Exchange exchange) {
        var channel = exchange.parameter("channel");
        var chat = exchange.parameter("chat");
        if (!rules.hears(channel, chat)) {
            throw HttpFailure.unheard(channel, chat);
        }
        var alias = SessionAlias.ofChannel(channel, chat);
        var body = exchange.body();
        var wanted = Completion.of(exchange, body);
        var said = Completion.said(body);
        var session = starter.backend()
                .store()
                .openOrCreate(NewSession.in(Scope.ofOwner(exchange.caller().subject()))
                        .named(alias)
                        .withMetadata(Map.of(
                                PurgeSelection.CHANNEL,
                                StringNode.valueOf(channel),
                                "chat",
                                StringNode.valueOf(chat))));
        starter.answer(
                exchange,
                Held.of(session),
                wanted,
                RunStarter.keyed(exchange, body, wanted),
                (context, feed) -> starter.prompting(wanted, said)
                        .run(context.with(context.settings().withWindow(WINDOW)), feed));
    }
}

/// Chats on other networks: what somebody says in chat 42 on telegram goes to the session `telegram_42`, which is made
/// when it is needed. Who may be heard is the operator's list, [dev.skein.server.setup.ChannelRules].
@NullMarked
package dev.skein.server.channel;

import org.jspecify.annotations.NullMarked;

package dev.skein.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// A server, a few lines of shell, that wants to know something in the middle of a call: `color` of a person, `think`
/// of
/// a model. It notes every call in `calls` beside it, and how it was greeted in `hello`.
public final class AskingServer {

    private static final String SERVER = """
            #!/bin/sh
            say() {
              printf '%s' "$1" | tr '\\n' ' '
              printf '\\n'
            }
            while read -r line; do
              id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
              case "$line" in
                *'"initialize"'*) printf '%s\\n' "$line" > "$(dirname "$0")/hello"
                  result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},
                  "serverInfo":{"name":"asks","version":"1"}}' ;;
                *'"tools/list"'*) result='{"tools":[{"name":"color","inputSchema":{"type":"object"}},
                  {"name":"think","inputSchema":{"type":"object"}}]}' ;;
                *'"tools/call"'*)
                  echo call >> "$(dirname "$0")/calls"
                  say '{"jsonrpc":"2.0","method":"notifications/message",
                    "params":{"level":"info","data":"one moment"}}'
                  case "$line" in
                    *'"color"'*) say '{"jsonrpc":"2.0","id":"q1","method":"elicitation/create",
                      "params":{"message":"Which color?","requestedSchema":{"type":"object",
                      "properties":{"color":{"type":"string","enum":["blue","red"]}},"required":["color"]}}}' ;;
                    *) say '{"jsonrpc":"2.0","id":"q1","method":"sampling/createMessage",
                      "params":{"maxTokens":50,"messages":[{"role":"user",
                      "content":{"type":"text","text":"what is best in life"}}]}}' ;;
                  esac
                  read -r answer
                  said=$(printf '%s' "$answer" | tr -d '"\\\\{}')
                  result='{"content":[{"type":"text","text":"heard '$said'"}]}' ;;
                *) continue ;;
              esac
              printf '{"jsonrpc":"2.0","id":%s,"result":%s}' "$id" "$result" | tr '\\n' ' '
              printf '\\n'
            done
            """;

    private AskingServer() {}

    /// Makes the directory, and the program in it.
    public static Path in(Path directory) throws IOException {
        var server = Files.createDirectories(directory).resolve("server");
        Files.writeString(server, SERVER);
        Files.setPosixFilePermissions(server, PosixFilePermissions.fromString("rwx------"));
        return server;
    }

    /// How often one of its tools was called.
    public static int calls(Path server) throws IOException {
        return Files.readAllLines(server.resolveSibling("calls")).size();
    }
}

package dev.skein.cli.repl;

import dev.skein.cli.program.Program;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/// What Tab offers: commands, and the names of models, sessions, settings and files behind those that want one.
record Completion(Program program) implements Completer {

    private static final int FILES_MAX = 500;

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        var before = line.line().substring(0, line.cursor());
        if (!before.startsWith(".")) {
            return;
        }
        var typedWords = before.substring(0, before.length() - line.wordCursor());
        Arrays.stream(Dot.values())
                .map(Dot::typed)
                .filter(typed -> typed.startsWith(typedWords))
                .map(typed -> typed.substring(typedWords.length()).split(" ")[0])
                .distinct()
                .forEach(word -> candidates.add(new Candidate(word)));
        Dot.in(typedWords.strip()).stream()
                .flatMap(call -> arguments(call.dot(), call.rest(), line.word().substring(0, line.wordCursor())))
                .forEach(candidates::add);
    }

    private Stream<Candidate> arguments(Dot dot, String rest, String word) {
        return switch (dot) {
            case MODEL -> rest.isEmpty() ? words(SettingDots.models(program)) : Stream.of();
            case SESSION, RESUME, INFO_SESSION, DELETE ->
                rest.isEmpty() ? words(SessionDots.names(program)) : Stream.of();
            case ROLE, INFO_ROLE ->
                rest.isEmpty() ? words(program.ai().app().roles().names()) : Stream.of();
            case AGENT, INFO_AGENT ->
                rest.isEmpty() ? words(program.ai().app().agents().names()) : Stream.of();
            case RAG -> rest.isEmpty() ? words(RagDots.names(program)) : Stream.of();
            case MACRO -> rest.isEmpty() ? words(program.macros().names()) : files(word);
            case VAULT -> rest.isEmpty() ? words(VaultDots.WORDS) : words(VaultDots.names(program));
            case SET -> rest.isEmpty() ? words(SettingDots.KEYS) : Stream.of();
            case FILE -> (" " + rest + " ").contains(" -- ") ? Stream.of() : files(word);
            default -> Stream.of();
        };
    }

    private static Stream<Candidate> words(List<String> words) {
        return words.stream().map(Candidate::new);
    }

    private static Stream<Candidate> files(String word) {
        var slash = word.lastIndexOf(File.separatorChar);
        var directory = word.substring(0, slash + 1);
        try (var entries = Files.list(Path.of(directory.isEmpty() ? "." : directory))) {
            return entries
                    .limit(FILES_MAX)
                    .map(path -> file(directory + path.getFileName(), Files.isDirectory(path)))
                    .toList()
                    .stream();
        } catch (IOException _) {
            return Stream.of();
        }
    }

    private static Candidate file(String name, boolean isDirectory) {
        var value = isDirectory ? name + File.separator : name;
        return new Candidate(value, value, null, null, null, null, !isDirectory);
    }
}

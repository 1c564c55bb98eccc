package dev.skein.provider.offline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlainWordsTest {

    private static final Set<String> ALL = Set.of("list", "read", "grep", "glob", "write", "shell", "fetch", "todo");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    list the files here          | list  | {"path":"."}
                    List files                   | list  | {"path":"."}
                    please list all the files in src | list | {"path":"src"}
                    list src                     | list  | {"path":"src"}
                    ls                           | list  | {"path":"."}
                    what files are in src?       | list  | {"path":"src"}
                    Which files are there?       | list  | {"path":"."}
                    show me the files            | list  | {"path":"."}
                    what is in docs/?            | list  | {"path":"docs"}
                    show the contents of the folder src/main | list | {"path":"src/main"}
                    read README.md               | read  | {"path":"README.md"}
                    Could you read the file docs/style.md? | read | {"path":"docs/style.md"}
                    show README.md               | read  | {"path":"README.md"}
                    what is in README.md?        | read  | {"path":"README.md"}
                    what does pom.xml say?       | read  | {"path":"pom.xml"}
                    search for word in src       | grep  | {"pattern":"word","path":"src"}
                    search for "two words" in src | grep | {"pattern":"two words","path":"src"}
                    grep main                    | grep  | {"pattern":"main","path":"."}
                    look in docs for journal     | grep  | {"pattern":"journal","path":"docs"}
                    find SessionStore in api     | grep  | {"pattern":"SessionStore","path":"api"}
                    find *.java                  | glob  | {"pattern":"*.java"}
                    list all src/**/*.md files   | glob  | {"pattern":"src/**/*.md"}
                    run `ls -l`                  | shell | {"command":"ls -l"}
                    Please run the command `git status` now. | shell | {"command":"git status"}
                    run ls -l                    | shell | {"command":"ls -l"}
                    write hello to notes.txt     | write | {"path":"notes.txt","content":"hello"}
                    write "hi, you" into the file notes.txt. | write | {"path":"notes.txt","content":"hi, you"}
                    create a file called a.txt with one two | write | {"path":"a.txt","content":"one two"}
                    fetch https://example.org/a?b=c. | fetch | {"url":"https://example.org/a?b=c"}
                    get me the page https://example.org | fetch | {"url":"https://example.org"}
                    """)
    void a_request_in_plain_words_calls_its_tool(String prompt, String tool, String arguments) {
        var wish = PlainWords.in(prompt, ALL).orElseThrow();

        assertThat(wish.tool()).isEqualTo(tool);
        assertThat(wish.arguments().toString()).isEqualTo(arguments);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello",
                "what is the weather?",
                "I read a book about lists",
                "tell me a story",
                "run the tests",
                "run away",
                "open the door.",
                "what is in stock?",
                "what does it say?",
                "search",
                "read the file with the long name that I told you about",
                "count to 500 slowly",
                "what did I say before?",
                ""
            })
    void other_sentences_call_nothing(String prompt) {
        assertThat(PlainWords.in(prompt, ALL)).isEmpty();
    }

    @Test
    void a_tool_that_is_not_offered_is_not_called() {
        assertThat(PlainWords.in("read README.md", Set.of("list"))).isEmpty();
        assertThat(PlainWords.in("list the files here", Set.of("read", "grep"))).isEmpty();
    }
}

package dev.skein.cli;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/// Holds the modules to their charter: the table in `docs`, by package.
class ModuleDirectionsTest {

    /// Which module a package and those below it belong to; the longest prefix counts.
    private static final Map<String, String> MODULES = Map.ofEntries(
            Map.entry("dev.skein.message", "api"),
            Map.entry("dev.skein.session", "api"),
            Map.entry("dev.skein.store", "api"),
            Map.entry("dev.skein.failure", "api"),
            Map.entry("dev.skein.wire", "api"),
            Map.entry("dev.skein.model", "api"),
            Map.entry("dev.skein.pattern", "api"),
            Map.entry("dev.skein.cancellation", "api"),
            Map.entry("dev.skein.tool", "api"),
            Map.entry("dev.skein.live", "api"),
            Map.entry("dev.skein.redaction", "api"),
            Map.entry("dev.skein.retrieval", "api"),
            Map.entry("dev.skein.engine", "engine"),
            Map.entry("dev.skein.provider", "providers"),
            Map.entry("dev.skein.tools", "tools"),
            Map.entry("dev.skein.store.query", "api"),
            Map.entry("dev.skein.store.memory", "store"),
            Map.entry("dev.skein.store.file", "store"),
            Map.entry("dev.skein.exchange", "exchange"),
            Map.entry("dev.skein.store.jdbc", "store-jdbc"),
            Map.entry("dev.skein.server", "server"),
            Map.entry("dev.skein.cli", "cli"),
            Map.entry("dev.skein.testkit", "testkit"));

    private static final Map<String, Set<String>> MAY_USE = Map.of(
            "api", Set.of(),
            "exchange", Set.of("api"),
            "store", Set.of("api", "exchange"),
            "engine", Set.of("api"),
            "providers", Set.of("api"),
            "tools", Set.of("api"),
            "testkit", Set.of("api"),
            "store-jdbc", Set.of("api"),
            "server", Set.of("api", "engine"),
            "cli", Set.of("api", "exchange", "store", "store-jdbc", "engine", "providers", "tools", "server"));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.skein");

    @Test
    void every_package_belongs_to_a_module() {
        var homeless = new TreeSet<String>();
        for (var type : CLASSES) {
            if (moduleOf(type).isEmpty()) {
                homeless.add(type.getPackageName());
            }
        }

        assertThat(homeless).as("packages to add to MODULES in this test").isEmpty();
        assertThat(CLASSES).hasSizeGreaterThan(50);
    }

    @Test
    void modules_use_only_those_they_may() {
        var complaints = new TreeSet<String>();
        for (var type : CLASSES) {
            var from = moduleOf(type).orElse("?");
            for (var dependency : type.getDirectDependenciesFromSelf()) {
                var to = moduleOf(dependency.getTargetClass()).orElse(from);
                if (!to.equals(from) && !MAY_USE.getOrDefault(from, Set.of()).contains(to)) {
                    complaints.add("%s may not use %s: %s".formatted(from, to, dependency.getDescription()));
                }
            }
        }

        assertThat(complaints).isEmpty();
    }

    @Test
    void only_the_wiring_knows_which_store_there_is() {
        var users = new TreeSet<String>();
        for (var type : CLASSES) {
            var knows = type.getDirectDependenciesFromSelf().stream()
                    .anyMatch(dependency -> Set.of("FileSessionStore", "JdbcSessionStore")
                            .contains(dependency.getTargetClass().getSimpleName()));
            if (moduleOf(type).equals(Optional.of("cli")) && knows) {
                users.add(type.getSimpleName());
            }
        }

        assertThat(users).containsExactly("Wiring");
    }

    @Test
    void packages_do_not_use_each_other_in_circles() {
        slices().matching("dev.skein.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void every_package_has_its_paragraph_and_marks_nulls() {
        var without = new TreeSet<String>();
        for (var type : CLASSES) {
            var described = type.getPackage().isAnnotatedWith(NullMarked.class);
            if (!described) {
                without.add(type.getPackageName());
            }
        }

        assertThat(without).as("packages without a @NullMarked package-info").isEmpty();
    }

    private static Optional<String> moduleOf(JavaClass type) {
        var name = type.getBaseComponentType().getPackageName();
        return MODULES.keySet().stream()
                .filter(prefix -> name.equals(prefix) || name.startsWith(prefix + "."))
                .max(Comparator.comparingInt(String::length))
                .map(MODULES::get);
    }
}

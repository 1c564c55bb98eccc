import static java.lang.classfile.ClassFile.JAVA_8_VERSION;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

/// Rewrites a jar whose classes are older than Java 8 as one of Java 8, with the stack maps that this asks for: the
/// virtual machine keeps no class in a cache that it has to verify the old way.
///
/// `java NewerClassFiles.java FROM.jar TO.jar`
final class NewerClassFiles {

    private NewerClassFiles() {}

    public static void main(String[] args) throws IOException {
        var from = Path.of(args[0]);
        try (var jar = new JarFile(from.toFile());
                var classes = new URLClassLoader(new URL[] {from.toUri().toURL()});
                var to = new JarOutputStream(Files.newOutputStream(Path.of(args[1])))) {
            var format = ClassFile.of(
                    StackMapsOption.STACK_MAPS_WHEN_REQUIRED,
                    ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.defaultResolver()
                            .orElse(ClassHierarchyResolver.ofResourceParsing(classes))));
            for (var entry : (Iterable<? extends java.util.jar.JarEntry>) jar.stream()::iterator) {
                var bytes = jar.getInputStream(entry).readAllBytes();
                // Same jar, same bytes.
                var copy = new ZipEntry(entry.getName());
                copy.setTimeLocal(java.time.LocalDateTime.of(2026, 11, 1, 0, 0));
                to.putNextEntry(copy);
                to.write(entry.getName().endsWith(".class") ? newer(format, bytes) : bytes);
                to.closeEntry();
            }
        }
    }

    private static byte[] newer(ClassFile format, byte[] bytes) {
        var model = format.parse(bytes);
        return model.majorVersion() >= JAVA_8_VERSION
                ? bytes
                : format.transformClass(
                        model,
                        ClassTransform.transformingMethodBodies((code, element) -> code.with(element))
                                .andThen(ClassTransform.endHandler(type -> type.withVersion(JAVA_8_VERSION, 0))));
    }
}

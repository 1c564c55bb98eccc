/// Where documents come from: files, directories, file patterns and URLs. Begin with [Sources].
@NullMarked
package dev.skein.tools.rag.source;

import org.jspecify.annotations.NullMarked;

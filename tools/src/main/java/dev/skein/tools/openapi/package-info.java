/// Tools out of OpenAPI documents that the operator put beside the script tools: every operation is one. The document
/// says
/// where the service is; a model says only what goes into an operation. Begin with [OpenApiTools].
@NullMarked
package dev.skein.tools.openapi;

import org.jspecify.annotations.NullMarked;

/// Reading requests and writing answers: bodies within limits, errors in one shape, request ids. Begin with [Exchange].
@NullMarked
package dev.skein.server.http;

import org.jspecify.annotations.NullMarked;

/// HTTP byte by byte, for tests and measurements that want to cut, stall or count what a server sends. Begin with
/// [PlainHttp].
@NullMarked
package dev.skein.testkit.http;

import org.jspecify.annotations.NullMarked;

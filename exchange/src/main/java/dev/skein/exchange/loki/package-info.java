/// Sessions of Loki, and of its relatives Coyote and aichat, which share one family of YAML files.
///
/// [LokiSession] turns the bytes of one file into events; [LokiFileName] tells what its name means. Neither
/// touches a disk, and no file of another tool is ever changed. The YAML is read as version 1.2, by bytes
/// that may come from anyone: size, depth, number of values and what aliases repeat are all bounded.
@NullMarked
package dev.skein.exchange.loki;

import org.jspecify.annotations.NullMarked;

/// Gets pages from the web, but not from this machine or its neighbours unless that is allowed. Begin with [FetchTool].
@NullMarked
package dev.skein.tools.web;

import org.jspecify.annotations.NullMarked;

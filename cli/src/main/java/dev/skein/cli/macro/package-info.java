/// `skein macros`: shows the macros there are. What a macro is says `MacroSpec` among the settings; running one is the
/// prompt's business.
@NullMarked
package dev.skein.cli.macro;

import org.jspecify.annotations.NullMarked;

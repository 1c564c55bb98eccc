/// `skein vault`: the commands that put secrets into the vault and take them out. The vault itself is in `cli.secret`.
@NullMarked
package dev.skein.cli.vault;

import org.jspecify.annotations.NullMarked;

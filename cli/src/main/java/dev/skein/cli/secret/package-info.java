/// The vault: secrets at rest, and how settings name them.
///
/// Begin with [Vault], the file `vault.yaml` in home, closed with a key that is somewhere else or for the owner's eyes
/// only. What stands in it is [Closed], how it is closed [Sealing], where the key comes from [VaultKey].
/// [Interpolation] puts secrets where a text says `{{NAME}}`. Whoever has a vault open has its secrets taken out of
/// everything that is kept or shown.
@NullMarked
package dev.skein.cli.secret;

import org.jspecify.annotations.NullMarked;

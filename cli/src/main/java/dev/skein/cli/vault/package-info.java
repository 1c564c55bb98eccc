/// Secrets at rest: `vault.yaml` in home, closed with a key that is somewhere else or for the owner's eyes only, and
/// the
/// commands on it. Begin with [Vault]; what stands in the file is [Closed], how it is closed [Sealing], where the key
/// comes from [VaultKey]. Whoever has a vault open has its secrets taken out of everything that is kept or shown.
@NullMarked
package dev.skein.cli.vault;

import org.jspecify.annotations.NullMarked;

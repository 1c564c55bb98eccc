/// Settings: what a person wrote into `config.yaml`, and the roles in `roles/`.
///
/// Everything has a default, and what cannot be understood is told and passed over. Begin with [Settings].
@NullMarked
package dev.skein.cli.settings;

import org.jspecify.annotations.NullMarked;

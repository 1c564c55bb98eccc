/// A provider to test against, and the promises of a model as tests.
///
/// [ProviderServer] listens on this machine and speaks a provider's [Wire] format, word for word as scripted in an
/// [Answer]: with delays, cuts, errors and garbage. [ModelContract] runs a model against it. Begin with
/// [ModelContract].
@NullMarked
package dev.skein.testkit.provider;

import org.jspecify.annotations.NullMarked;

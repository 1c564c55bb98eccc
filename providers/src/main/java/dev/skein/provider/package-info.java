/// Providers of language models: which there are, and how to open a model by name.
///
/// [ProviderRegistry] looks at the environment and opens models; each provider has a package of its own below. Begin
/// with [ProviderRegistry].
@NullMarked
package dev.skein.provider;

import org.jspecify.annotations.NullMarked;

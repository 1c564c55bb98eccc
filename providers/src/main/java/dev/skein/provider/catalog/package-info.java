/// What is known about models: how much they read, how much they say, what they cost.
///
/// The facts come with Skein in `models.json` and users may overrule them. A model that is not listed works as well;
/// it only has no known window and no price. Begin with [ModelCatalog].
@NullMarked
package dev.skein.provider.catalog;

import org.jspecify.annotations.NullMarked;

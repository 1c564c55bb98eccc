/// The offline model: what answers when there is no provider.
///
/// It needs no network and no key, always says the same to the same conversation, and says that it is no language
/// model. Begin with [OfflineModel].
@NullMarked
package dev.skein.provider.offline;

import org.jspecify.annotations.NullMarked;

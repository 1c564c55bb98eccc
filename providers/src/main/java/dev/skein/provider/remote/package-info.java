/// Models on a network: what they share, whoever writes and reads their format.
///
/// [RemoteModel] makes a call from the request to the last word and turns whatever goes wrong into a typed failure;
/// [Speech] hands over the words as they come and remembers the parts; [JsonModel] is for formats we write and read
/// ourselves. Begin with [RemoteModel].
@NullMarked
package dev.skein.provider.remote;

import org.jspecify.annotations.NullMarked;

/// Between LangChain4j's words and ours, for every dialect it speaks.
///
/// [ChatMessages] and [ToolSpecifications] turn a request into LangChain4j's words; [LangChainModel] makes the call
/// and turns what comes back into ours. LangChain4j's finished message is not used: it glues all texts, all thoughts
/// and all signatures together. [dev.skein.provider.remote.Speech] keeps them apart and in order, with the help of a
/// [Dialect] for the events that LangChain4j does not understand. Begin with [LangChainModel].
@NullMarked
package dev.skein.provider.langchain;

import org.jspecify.annotations.NullMarked;

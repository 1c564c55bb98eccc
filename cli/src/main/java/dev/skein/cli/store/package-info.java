/// The commands on stores: `skein store copy` moves sessions from one to another.
///
/// Begin with [StoreCopy], which knows two stores by what they promise and by nothing else.
@NullMarked
package dev.skein.cli.store;

import org.jspecify.annotations.NullMarked;

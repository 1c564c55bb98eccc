package dev.skein.store.file;

/// A place in a journal file: just behind the record `seq`, which ends at byte `offset` and has checksum `crc`.
record Position(long offset, long seq, int crc) {

    /// The start of a session that is no fork.
    static final Position START = new Position(0, 0, Frame.NO_CRC);
}

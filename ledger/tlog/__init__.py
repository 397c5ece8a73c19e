"""The transparency log: Merkle tree, tag map, signed notes, cosignatures, tiles, time stamps."""

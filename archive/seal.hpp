#pragma once
// The end of a recording: from a database in WAL mode to one file. Private to this folder. Thread: the
// writer's.

#include <chrono>

#include "archive/sqlite.hpp"

namespace browx::archive {

/// Before the last commit: what is written from now on survives power loss.
Status make_durable(const Database& db);

/// Moves the WAL into the database and leaves WAL mode, so that no file remains beside it. Readers hold their
/// locks for an instant only; it tries for `patience`. On failure the file is whole, but still needs its
/// `-wal`.
Status leave_wal(const Database& db, std::chrono::milliseconds patience);

}  // namespace browx::archive

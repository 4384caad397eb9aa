#pragma once
// Archives of make_archive.cpp, loaded.

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "player/model/session.hpp"
#include "tests/archive/sample.hpp"

namespace browx::player {

inline Session session_of(const std::string& kind) {
  const archive::Folder folder;
  const auto path = folder / (kind + ".browx");
  const std::string command = std::string(BROWX_MAKE_ARCHIVE) + " " + kind + " " + path.string();
  EXPECT_EQ(std::system(command.c_str()), 0);
  auto reader = archive::Reader::open(path);
  EXPECT_TRUE(reader.ok()) << (reader ? "" : reader.error().message());
  auto session = load_session(**reader, path);
  EXPECT_TRUE(session.ok()) << (session ? "" : session.error().message());
  return session ? *std::move(session) : Session();
}

}  // namespace browx::player

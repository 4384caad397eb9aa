// Opens the archive named on the command line as a process of its own: 0 when it is live and has steps.

#include "archive/reader.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto reader = browx::archive::Reader::open(argv[1]);
  if (!reader.ok()) return 3;
  const auto steps = (*reader)->steps();
  if (!steps.ok() || steps->empty()) return 4;
  return (*reader)->live() ? 0 : 5;
}

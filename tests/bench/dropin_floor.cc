// What a hit can't be cheaper than: a process that does nothing; with three file names one that
// reads the first two, and writes the second one's bytes as the third, beside it and renamed.
//
// Linked as the drop-in is.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

char buffer[16 << 20];

std::size_t Read(const char* path) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  std::size_t size = 0;
  for (ssize_t count; (count = ::read(file, buffer + size, sizeof(buffer) - size)) > 0;)
    size += static_cast<std::size_t>(count);
  ::close(file);
  return size;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return argc == 1 ? 0 : 2;
  Read(argv[1]);
  const std::size_t size = Read(argv[2]);
  const std::string beside = std::string(argv[3]) + ".tmp";
  const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const bool written = ::write(file, buffer, size) == static_cast<ssize_t>(size);
  ::close(file);
  return written && ::rename(beside.c_str(), argv[3]) == 0 ? 0 : 1;
}

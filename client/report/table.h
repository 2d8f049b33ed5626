// Lays text out in columns.
#pragma once

#include <string>
#include <vector>

#include "base/int.h"
#include "client/terminal.h"

namespace ptxfarm::client {

class Table {
 public:
  enum class Align : u8 { kLeft, kRight };

  struct Column {
    std::string title;
    Align align = Align::kLeft;
  };

  struct Cell {
    std::string text;
    Style style = Style::kPlain;

    Cell(std::string cell_text = {},
         Style cell_style = Style::kPlain)  // NOLINT: implicit by intent
        : text(std::move(cell_text)), style(cell_style) {}
    Cell(const char* cell_text) : text(cell_text) {}  // NOLINT: implicit by intent
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // A row may end early; what is left out is empty.
  void Add(std::vector<Cell> row);
  bool empty() const { return rows_.empty(); }

  // Lines with '\n', two blanks between columns, none at the ends of lines. Titles are bold.
  std::string Render(bool color) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace ptxfarm::client

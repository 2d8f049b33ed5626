#include "client/report/table.h"

#include <algorithm>

#include "base/check.h"

namespace ptxfarm::client {
namespace {

void AppendLine(std::string& out, const std::vector<Table::Column>& columns,
                const std::vector<std::size_t>& widths, const std::vector<Table::Cell>& row,
                bool color) {
  std::string line;
  std::size_t blanks = 0;  // Owed before the next text; never written at the end of a line.
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) blanks += 2;
    const std::size_t width = i < row.size() ? DisplayWidth(row[i].text) : 0;
    const std::size_t padding = widths[i] - width;
    if (width == 0) {
      blanks += padding;
      continue;
    }
    const bool right = columns[i].align == Table::Align::kRight;
    line.append(blanks + (right ? padding : 0), ' ');
    line += Styled(row[i].text, row[i].style, color);
    blanks = right ? 0 : padding;
  }
  out += line + '\n';
}

}  // namespace

void Table::Add(std::vector<Cell> row) {
  PTXFARM_CHECK(row.size() <= columns_.size(), "a row has more cells than the table has columns");
  rows_.push_back(std::move(row));
}

std::string Table::Render(bool color) const {
  std::vector<std::size_t> widths;
  std::vector<Cell> titles;
  for (const Column& column : columns_) {
    widths.push_back(DisplayWidth(column.title));
    titles.emplace_back(column.title, Style::kBold);
  }
  for (const std::vector<Cell>& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], DisplayWidth(row[i].text));

  std::string out;
  AppendLine(out, columns_, widths, titles, color);
  for (const std::vector<Cell>& row : rows_) AppendLine(out, columns_, widths, row, color);
  return out;
}

}  // namespace ptxfarm::client

import type { ComponentChildren } from "preact";

/** One column: its heading, and what a row shows there. */
export interface Column<Row> {
  heading: string;
  isNumber?: boolean;
  cell: (row: Row) => ComponentChildren;
}

interface Properties<Row> {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  empty: string;
}

/** Rows with headings; the first column names the row. Wide tables scroll by themselves. */
export function Table<Row>({ caption, columns, rows, keyOf, empty }: Properties<Row>) {
  if (rows.length === 0) {
    return <p class="empty">{empty}</p>;
  }
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.heading} scope="col" class={column.isNumber ? "number" : ""}>
                {column.heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.heading} scope="row">
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.heading} class={column.isNumber ? "number" : ""}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export type ParcelLine = { order: string; carrier: string; tracking: string }

const isHead = (cells: readonly string[]) => cells[0]?.toLowerCase() === 'order'

/**
 * Reads lines of order, carrier and parcel number, separated by commas, semicolons or tabs, as a table program copies or saves them. Without
 * a carrier the usual one holds. Empty lines and a line of headings are skipped. Returns the numbers of lines that it cannot read too.
 */
export function readParcelLines(text: string, usualCarrier = ''): { lines: ParcelLine[]; unreadable: number[] } {
  const lines: ParcelLine[] = []
  const unreadable: number[] = []
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const cells = line.split(/[,;\t]/).map((cell) =>
      cell
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .trim(),
    )
    if (cells.every((cell) => cell === '') || isHead(cells)) continue
    const [order = '', ...others] = cells
    const [carrier = '', tracking = ''] = others.length > 1 ? others : ['', ...others]
    const isReadable = /^ORD-\d{1,12}$/i.test(order) && cells.length <= 3 && (carrier || usualCarrier) !== ''
    if (isReadable) lines.push({ order: order.toUpperCase(), carrier: carrier || usualCarrier, tracking })
    else unreadable.push(at + 1)
  }
  return { lines, unreadable }
}

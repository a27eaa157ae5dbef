import { escapeCsvCell } from '#contracts/rules/text.ts'

/** Splits csv text into records: a line break within quotes does not end one. */
function splitRecords(text: string) {
  const records: string[] = []
  let open = ''
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    open = open === '' ? line : `${open}\n${line}`
    if ((open.match(/"/g)?.length ?? 0) % 2 === 1) continue
    if (open !== '') records.push(open)
    open = ''
  }
  return records
}

const toCell = (text: string) => `"${escapeCsvCell(text).replaceAll('"', '""')}"`

/** One csv of several with the same columns, with the name of the tracker as the first column. */
export function joinCsv(files: readonly { name: string; text: string }[], heading: string) {
  const parts = files.map(({ name, text }) => ({ name, records: splitRecords(text) }))
  const head = parts.find(({ records }) => records.length > 0)?.records[0]
  const rows = parts.flatMap(({ name, records }) => records.slice(1).map((record) => `${toCell(name)},${record}`))
  return `\uFEFF${[`${toCell(heading)},${head ?? ''}`, ...rows].join('\r\n')}\r\n`
}

/** Positions in a csv. */
export const countRows = (text: string) => Math.max(0, splitRecords(text).length - 1)

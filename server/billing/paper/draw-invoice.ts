import { openSheet, type Place, QUIET, type Sheet, type Style, styles } from '#server/pdf/pdf.ts'
import type { InvoiceText } from './invoice-text.ts'

const GUTTER = 16
const GAP = 5
/** Height of a row whose description takes three lines. */
const ROW_HEIGHT = 60
const SUM_HEIGHT = 20
const LABEL_WIDTH = 150
const SHARES = [0.49, 0.13, 0.19, 0.19]

const strong: Style = { ...styles.value, weight: 'bold' }
const right = (style: Style): Style => ({ ...style, align: 'right' })

export async function drawInvoice(paper: InvoiceText, now: Date): Promise<Buffer> {
  const title = `${paper.title} ${paper.facts[0]?.value ?? ''}`
  const sheet = await openSheet({ title, language: paper.language, now, text: JSON.stringify(paper) })
  const { doc, page } = sheet
  sheet.write('P', paper.seller, styles.heading)
  doc.y += GAP
  sheet.write('H1', paper.title, styles.title)
  if (paper.note) drawNote(sheet, paper.note)
  doc.y += GUTTER
  for (const { label, value } of paper.facts) drawFact(sheet, label, value)
  doc.y += GUTTER
  const places = columnsOf(page)
  if (paper.rows.length > 0) drawTable(sheet, [paper.columns, ...paper.rows], places)
  doc.y += GAP
  sheet.keepTogether(paper.sums.length * SUM_HEIGHT)
  drawSums(sheet, paper, places)
  if (paper.foot) {
    doc.y += GUTTER
    sheet.write('P', paper.foot, styles.label)
  }
  return sheet.finish()
}

function drawNote({ doc, page, write }: Sheet, note: string) {
  doc.y += GUTTER
  const top = doc.y
  write('P', note, strong, { x: page.x + GUTTER, width: page.width - 2 * GUTTER })
  doc
    .rect(page.x, top - GAP * 2, page.width, doc.y - top + GAP * 4)
    .lineWidth(1)
    .stroke(QUIET)
  doc.y += GAP
}

function drawFact({ doc, page, write }: Sheet, label: string, value: string) {
  const top = doc.y
  write('P', label, styles.label, { x: page.x, width: LABEL_WIDTH })
  const bottom = doc.y
  doc.y = top
  write('P', value, styles.value, { x: page.x + LABEL_WIDTH + GUTTER, width: page.width - LABEL_WIDTH - GUTTER })
  doc.y = Math.max(doc.y, bottom) + GAP
}

function drawTable(sheet: Sheet, rows: readonly string[][], places: readonly Place[]) {
  const { doc, page } = sheet
  const table = doc.struct('Table')
  doc.addStructure(table)
  for (const [index, cells] of rows.entries()) {
    sheet.keepTogether(ROW_HEIGHT)
    const isHead = index === 0
    const row = doc.struct('TR')
    table.add(row)
    const top = doc.y
    let bottom = top
    for (const [column, text] of cells.entries()) {
      const style = isHead ? styles.label : styles.value
      const place = places[column] ?? page
      const draw = () => {
        doc.y = top
        sheet.draw(text, column === 0 ? style : right(style), place)
        bottom = Math.max(bottom, doc.y)
      }
      row.add(doc.struct(isHead ? 'TH' : 'TD', {}, draw))
    }
    row.end()
    doc.y = bottom + GAP
    drawRule(sheet)
  }
  table.end()
}

function drawSums(sheet: Sheet, { sums }: InvoiceText, places: readonly Place[]) {
  const { doc, page, write } = sheet
  const value = places.at(-1) ?? page
  const label = { x: page.x, width: value.x - page.x - GUTTER }
  for (const [index, sum] of sums.entries()) {
    const style = index === sums.length - 1 ? strong : styles.value
    const top = doc.y
    write('P', sum.label, right(style), label)
    doc.y = top
    write('P', sum.value, right(style), value)
    doc.y += GAP
  }
}

function drawRule({ doc, page }: Sheet) {
  doc
    .moveTo(page.x, doc.y)
    .lineTo(page.x + page.width, doc.y)
    .lineWidth(0.6)
    .stroke(QUIET)
  doc.y += GAP
}

function columnsOf({ x, width }: Place): Place[] {
  return SHARES.map((share, index) => ({
    x: x + width * SHARES.slice(0, index).reduce((sum, one) => sum + one, 0),
    width: width * share - (index < SHARES.length - 1 ? GAP : 0),
  }))
}

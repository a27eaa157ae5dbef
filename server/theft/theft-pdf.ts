import { openSheet, type Place, QUIET, type Sheet, styles } from '#server/pdf/pdf.ts'
import type { Form, Section } from './theft.present.ts'

const LABEL_WIDTH = 170
const GUTTER = 16
const LINE_HEIGHT = 26

export async function drawForm(form: Form, now: Date): Promise<Buffer> {
  const { title, language } = form
  const sheet = await openSheet({ title, language, now, text: JSON.stringify(form) })
  sheet.write('H1', title, styles.title)
  sheet.doc.moveDown(0.4)
  sheet.write('P', form.intro, styles.label)
  for (const section of form.sections) drawSection(sheet, section)
  sheet.doc.y += GUTTER
  sheet.write('P', form.issued, styles.label)
  return sheet.finish()
}

function drawSection({ doc, page, write, keepTogether }: Sheet, { heading, rows, note }: Section) {
  const named = { x: page.x, width: LABEL_WIDTH }
  const filled = { x: page.x + LABEL_WIDTH + GUTTER, width: page.width - LABEL_WIDTH - GUTTER }
  const isForWriting = rows.some((row) => row.value === null)
  keepTogether(isForWriting ? (rows.length + 2) * LINE_HEIGHT : 3 * LINE_HEIGHT)
  doc.y += 14
  write('H2', heading, styles.heading)
  doc.y += 3
  if (note) write('P', note, styles.value)
  for (const row of rows) {
    if (row.value === null) doc.y += 8
    else keepTogether(LINE_HEIGHT)
    const top = doc.y
    const sheet = doc.page
    write('P', row.label, styles.label, named)
    const bottom = doc.y
    doc.y = top
    if (row.value === null) drawLine(doc, filled, bottom)
    else write('P', row.value, styles.value, filled)
    doc.y = (doc.page === sheet ? Math.max(doc.y, bottom) : doc.y) + 3
  }
}

function drawLine(doc: PDFKit.PDFDocument, { x, width }: Place, y: number) {
  doc
    .moveTo(x, y)
    .lineTo(x + width, y)
    .lineWidth(0.6)
    .stroke(QUIET)
}

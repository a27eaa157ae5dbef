import { encode } from 'uqr'
import { openSheet, type Place, QUIET, type Sheet, styles } from '#server/pdf/pdf.ts'
import type { Form, Section } from './theft.present.ts'

/** Widths of the labels in a section of the whole page and in one of half of it. */
const LABEL_WIDTH = 170
const NARROW_LABEL_WIDTH = 96
const GUTTER = 16
const LINE_HEIGHT = 26
const QR_SIZE = 76
const PHOTO_SIZE = 96
/** Size of the map in points; its picture has twice as many pixels. */
export const MAP_SIZE = { width: 483, height: 172 }

/** JPEG files: a map in the proportions of `MAP_SIZE`, shown below the last position, and the photo of the stolen object. */
type Pictures = { map?: Uint8Array | undefined; photo?: Uint8Array | undefined }

export async function drawForm(form: Form, now: Date, { map, photo }: Pictures = {}): Promise<Buffer> {
  const { title, language } = form
  const sheet = await openSheet({ title, language, now, text: JSON.stringify(form) })
  const top = sheet.doc.y
  const [codeWidth, photoWidth] = [form.live ? QR_SIZE + GUTTER : 0, photo ? PHOTO_SIZE + GUTTER : 0]
  const head = { x: sheet.page.x, width: sheet.page.width - codeWidth - photoWidth }
  sheet.write('H1', title, styles.title, head)
  sheet.doc.moveDown(0.4)
  sheet.write('P', form.intro, styles.label, head)
  if (photo) drawPhoto(sheet, { photo: Buffer.from(photo), alt: form.photo }, { x: head.x + head.width + GUTTER, y: top })
  if (form.live) drawLive(sheet, form.live, top)
  const [owner, tracker, position, report, police] = form.sections
  drawBeside(sheet, [owner, tracker])
  drawSection(sheet, position)
  if (map) drawMap(sheet, Buffer.from(map), form.map)
  drawSection(sheet, report)
  const half = Math.ceil(police.rows.length / 2)
  drawBeside(sheet, [
    { ...police, rows: police.rows.slice(0, half) },
    { heading: '', rows: police.rows.slice(half) },
  ])
  sheet.doc.y += 12
  sheet.write('P', form.issued, styles.label)
  return sheet.finish()
}

/** Draws two sections side by side. */
function drawBeside(sheet: Sheet, [left, right]: [Section, Section]) {
  const { doc, page, keepTogether } = sheet
  keepTogether((Math.max(left.rows.length, right.rows.length) + 2) * LINE_HEIGHT)
  const width = (page.width - 2 * GUTTER) / 2
  const top = doc.y
  drawSection(sheet, left, { x: page.x, width }, NARROW_LABEL_WIDTH)
  const bottom = doc.y
  doc.y = top
  drawSection(sheet, right, { x: page.x + width + 2 * GUTTER, width }, NARROW_LABEL_WIDTH)
  doc.y = Math.max(doc.y, bottom)
}

function drawSection(sheet: Sheet, { heading, rows, note }: Section, page = sheet.page, labelWidth = LABEL_WIDTH) {
  const { doc, write, keepTogether } = sheet
  const named = { x: page.x, width: labelWidth }
  const filled = { x: page.x + labelWidth + GUTTER, width: page.width - labelWidth - GUTTER }
  const isForWriting = rows.some((row) => row.value === null)
  keepTogether(isForWriting ? (rows.length + 2) * LINE_HEIGHT : 3 * LINE_HEIGHT)
  doc.y += 14
  if (heading) write('H2', heading, styles.heading, page)
  else doc.y += doc.currentLineHeight(true) + 4
  doc.y += 3
  if (note) write('P', note, styles.value, page)
  for (const row of rows) {
    if (row.value === null) doc.y += 12
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

function drawPhoto({ doc }: Sheet, { photo, alt }: { photo: Buffer; alt: string }, { x, y }: { x: number; y: number }) {
  const below = doc.y
  doc.addStructure(doc.struct('Figure', { alt }, () => doc.image(photo, x, y, { width: PHOTO_SIZE })))
  doc.y = Math.max(below, y + PHOTO_SIZE)
}

/** The QR code of a public link at the right edge, above its label. */
function drawLive({ doc, page, write }: Sheet, { url, label }: { url: string; label: string }, top: number) {
  const { data, size } = encode(url, { ecc: 'M', border: 0 })
  const [left, dot, below] = [page.x + page.width - QR_SIZE, QR_SIZE / size, doc.y]
  const drawCode = () => {
    for (const [y, row] of data.entries())
      for (const [x, isDark] of row.entries()) if (isDark) doc.rect(left + x * dot, top + y * dot, dot, dot)
    doc.fill('#000').link(left, top, QR_SIZE, QR_SIZE, url)
  }
  doc.addStructure(doc.struct('Figure', { alt: `${label}: ${url}` }, drawCode))
  doc.y = top + QR_SIZE + 4
  write('P', label, { ...styles.label, size: 8 }, { x: left, width: QR_SIZE })
  doc.y = Math.max(doc.y - 4, below)
}

function drawMap({ doc, page, write, keepTogether }: Sheet, map: Buffer, caption: string) {
  keepTogether(MAP_SIZE.height + LINE_HEIGHT)
  doc.y += 6
  const top = doc.y
  doc.addStructure(doc.struct('Figure', { alt: caption }, () => doc.image(map, page.x, top, MAP_SIZE)))
  doc.y = top + MAP_SIZE.height + 4
  write('P', caption, { ...styles.label, size: 8 })
}

function drawLine(doc: PDFKit.PDFDocument, { x, width }: Place, y: number) {
  doc
    .moveTo(x, y)
    .lineTo(x + width, y)
    .lineWidth(0.6)
    .stroke(QUIET)
}

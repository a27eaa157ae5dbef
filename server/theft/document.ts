import PDFDocument from 'pdfkit'
import { fontFile, runsOf, type Script, type Weight } from './fonts.ts'
import type { Form, Section } from './present.ts'

type Style = { size: number; weight: Weight; color: string }
type Pen = { doc: PDFKit.PDFDocument; write: (tag: string, text: string, style: Style, x: number, width: number) => void }

const MARGIN = 56
const LABEL_WIDTH = 170
const GUTTER = 16
const LINE_HEIGHT = 26
const INK = '#1a1a1a'
const QUIET = '#4a4a4a'

const title: Style = { size: 20, weight: 'bold', color: INK }
const heading: Style = { size: 12, weight: 'bold', color: INK }
const label: Style = { size: 9.5, weight: 'regular', color: QUIET }
const value: Style = { size: 9.5, weight: 'regular', color: INK }

/** Draws the form on A4, tagged for screen readers; returns the bytes of the PDF. */
export async function drawForm(form: Form, now: Date): Promise<Buffer> {
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: form.language,
    tagged: true,
    displayTitle: true,
    pdfVersion: '1.7',
    info: { Title: form.title, CreationDate: now, ModDate: now },
  })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve) => doc.on('end', resolve))
  const pen = await penOf(doc, form)
  const width = doc.page.width - 2 * MARGIN

  pen.write('H1', form.title, title, MARGIN, width)
  doc.moveDown(0.4)
  pen.write('P', form.intro, label, MARGIN, width)
  for (const section of form.sections) drawSection(pen, section, width)
  doc.y += GUTTER
  pen.write('P', form.issued, label, MARGIN, width)
  doc.end()
  await ended
  return Buffer.concat(chunks)
}

function drawSection({ doc, write }: Pen, { heading: words, rows, note }: Section, width: number) {
  const isForWriting = rows.some((row) => row.value === null)
  keepTogether(doc, isForWriting ? (rows.length + 2) * LINE_HEIGHT : 3 * LINE_HEIGHT)
  doc.y += 14
  write('H2', words, heading, MARGIN, width)
  doc.y += 3
  if (note) write('P', note, value, MARGIN, width)
  for (const row of rows) {
    if (row.value === null) doc.y += 8
    else keepTogether(doc, LINE_HEIGHT)
    const top = doc.y
    const { page } = doc
    write('P', row.label, label, MARGIN, LABEL_WIDTH)
    const bottom = doc.y
    doc.y = top
    if (row.value === null) drawLine(doc, bottom)
    else write('P', row.value, value, MARGIN + LABEL_WIDTH + GUTTER, width - LABEL_WIDTH - GUTTER)
    doc.y = (doc.page === page ? Math.max(doc.y, bottom) : doc.y) + 3
  }
}

function drawLine(doc: PDFKit.PDFDocument, y: number) {
  doc
    .moveTo(MARGIN + LABEL_WIDTH + GUTTER, y)
    .lineTo(doc.page.width - MARGIN, y)
    .lineWidth(0.6)
    .stroke(QUIET)
}

const keepTogether = (doc: PDFKit.PDFDocument, height: number) => {
  if (doc.y + height > doc.page.height - MARGIN) doc.addPage()
}

/** Loads the fonts the text needs (the Japanese ones are large) and writes each run of characters in its own. */
async function penOf(doc: PDFKit.PDFDocument, form: Form): Promise<Pen> {
  const text = JSON.stringify(form)
  const scripts: Script[] = runsOf(text).some((run) => run.script === 'japanese') ? ['latin', 'japanese'] : ['latin']
  for (const script of scripts)
    for (const weight of ['regular', 'bold'] as const) doc.registerFont(`${script}-${weight}`, await fontFile(script, weight))
  return {
    doc,
    write(tag, text, { size, weight, color }, x, width) {
      const runs = runsOf(text)
      const draw = () => {
        doc.fontSize(size).fillColor(color)
        runs.forEach((run, index) => {
          doc.font(`${run.script}-${weight}`)
          const options = { width, continued: index < runs.length - 1 }
          if (index === 0) doc.text(run.text, x, doc.y, options)
          else doc.text(run.text, options)
        })
      }
      doc.addStructure(doc.struct(tag, {}, draw))
    },
  }
}

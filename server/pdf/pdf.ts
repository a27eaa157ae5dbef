import type { Language } from '#contracts/lib/languages.ts'
import { loadFonts, loadTypeface, type Run, type Script, type Weight } from './pdf-fonts.ts'
import { isRightToLeft, layOutLines } from './right-to-left.ts'

export type Style = { size: number; weight: Weight; color: string; align?: 'right' }

/** Left edge and width of a text. */
export type Place = { x: number; width: number }

export type Sheet = {
  doc: PDFKit.PDFDocument
  page: Place
  /** Writes a block below the last one; `tag` is its role for screen readers. */
  write(tag: string, text: string, style: Style, place?: Place): void
  /** Draws text without a tag of its own: for cells, whose row is tagged. */
  draw(text: string, style: Style, place: Place): void
  /** Starts a new page unless this much height is left. */
  keepTogether(height: number): void
  finish(): Promise<Buffer>
}

type Options = { title: string; language: Language; now: Date; text: string }

const MARGIN = 56
const INK = '#1a1a1a'
export const QUIET = '#4a4a4a'

export const styles = {
  title: { size: 20, weight: 'bold', color: INK },
  heading: { size: 12, weight: 'bold', color: INK },
  label: { size: 9.5, weight: 'regular', color: QUIET },
  value: { size: 9.5, weight: 'regular', color: INK },
} satisfies Record<string, Style>

/** Opens an A4 document tagged for screen readers. `text` is all the text to be written, so that only the needed fonts are loaded. */
export async function openSheet({ title, language, now, text }: Options): Promise<Sheet> {
  const { default: PDFDocument } = await import('pdfkit') // slow to load, so not at the start of the server
  const doc = new PDFDocument({
    size: 'A4',
    // Starts without a font: the files of pdfkit's standard fonts are not in the server bundle.
    font: '',
    margin: MARGIN,
    lang: language,
    tagged: true,
    displayTitle: true,
    pdfVersion: '1.7',
    info: { Title: title, CreationDate: now, ModDate: now },
  })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve) => doc.on('end', resolve))
  const fonts = await loadFonts(text.normalize('NFC'))
  await registerFonts(doc, fonts)
  const page = { x: MARGIN, width: doc.page.width - 2 * MARGIN }
  const draw = drawOn(doc, fonts)
  return {
    doc,
    page,
    draw,
    write(tag, words, style, place = page) {
      doc.addStructure(doc.struct(tag, {}, () => draw(words, style, place)))
    },
    keepTogether(height) {
      if (doc.y + height > doc.page.height - MARGIN) doc.addPage()
    },
    async finish() {
      doc.end()
      await ended
      return Buffer.concat(chunks)
    },
  }
}

type Fonts = Awaited<ReturnType<typeof loadFonts>>

async function registerFonts(doc: PDFKit.PDFDocument, { used }: Fonts) {
  for (const script of used)
    for (const weight of ['regular', 'bold'] as const) doc.registerFont(`${script}-${weight}`, await loadTypeface(script, weight))
}

const drawOn =
  (doc: PDFKit.PDFDocument, fonts: Fonts): Sheet['draw'] =>
  (written, style, { x, width }) => {
    const { size, weight, color, align } = style
    const text = written.normalize('NFC')
    const runs = fonts.split(text)
    const font = (script: Script) => doc.fontSize(size).font(`${script}-${weight}`)
    const measure = (run: Run) => font(run.script).widthOfString(run.text)
    if (isRightToLeft(text)) {
      for (const line of layOutLines(text, width, { split: fonts.split, measure })) drawLine(doc, line, { x, width }, style, fonts)
      return
    }
    const isMixed = runs.some(({ script }) => script !== 'latin' && script !== 'japanese') && runs.length > 1
    if (isMixed && !text.includes('\n') && runs.reduce((sum, run) => sum + measure(run), 0) <= width)
      return drawLine(doc, runs, { x, width }, style, fonts)
    const taken = align === 'right' ? runs.reduce((sum, run) => sum + measure(run), 0) : width
    const left = x + Math.max(0, width - taken)
    runs.forEach((run, index) => {
      font(run.script).fillColor(color)
      const options = { width: x + width - left, continued: index < runs.length - 1, ...(align && { lineBreak: false }) }
      if (index === 0) doc.text(run.text, left, doc.y, options)
      else doc.text(run.text, options)
    })
  }

/** Draws a line whose runs are in order from left to right, all on one baseline. */
function drawLine(doc: PDFKit.PDFDocument, line: readonly Run[], { x, width }: Place, style: Style, { ascentOf }: Fonts) {
  const { size, weight, color, align } = style
  const font = ({ script }: Run) => doc.fontSize(size).font(`${script}-${weight}`)
  const widths = line.map((run) => font(run).widthOfString(run.text))
  const height = Math.max(...line.map((run) => font(run).currentLineHeight(true)), 0)
  if (doc.y + height > doc.page.height - MARGIN) doc.continueOnNewPage()
  const top = doc.y
  const ascent = Math.max(...line.map(({ script }) => ascentOf(script)), 0)
  let left = align === 'right' ? x + width - widths.reduce((sum, one) => sum + one, 0) : x
  for (const [index, run] of line.entries()) {
    font(run)
      .fillColor(color)
      .text(run.text, left, top + (ascent - ascentOf(run.script)) * size, { lineBreak: false })
    left += widths[index]!
  }
  doc.x = x
  doc.y = top + height
}

import type { Language } from '#contracts/lib/constants.ts'
import { loadTypeface, type Script, splitByScript, type Weight } from './pdf-fonts.ts'

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
  const { default: PDFDocument } = await import('pdfkit') // takes a while to load, so not when the server starts
  const doc = new PDFDocument({
    size: 'A4',
    // None of the standard fonts, which lie in files beside pdfkit that the bundled server does not have.
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
  await registerFonts(doc, text)
  const page = { x: MARGIN, width: doc.page.width - 2 * MARGIN }
  const draw = drawOn(doc)
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

/** The Japanese fonts are large, so they are loaded only for text that needs them. */
async function registerFonts(doc: PDFKit.PDFDocument, text: string) {
  const scripts: Script[] = splitByScript(text).some((run) => run.script === 'japanese') ? ['latin', 'japanese'] : ['latin']
  for (const script of scripts)
    for (const weight of ['regular', 'bold'] as const) doc.registerFont(`${script}-${weight}`, await loadTypeface(script, weight))
}

const drawOn =
  (doc: PDFKit.PDFDocument): Sheet['draw'] =>
  (text, { size, weight, color, align }, { x, width }) => {
    const runs = splitByScript(text)
    const font = (script: Script) => doc.fontSize(size).font(`${script}-${weight}`)
    const taken = align === 'right' ? runs.reduce((sum, run) => sum + font(run.script).widthOfString(run.text), 0) : width
    const left = x + Math.max(0, width - taken)
    runs.forEach((run, index) => {
      font(run.script).fillColor(color)
      const options = { width: x + width - left, continued: index < runs.length - 1, ...(align && { lineBreak: false }) }
      if (index === 0) doc.text(run.text, left, doc.y, options)
      else doc.text(run.text, options)
    })
  }

import { SaxesParser } from 'saxes'
import type { ImportDamage, ImportProblem } from '#contracts/data.ts'
import { FILE_SHAPE } from '#contracts/limits/upload-limits.ts'
import { createTextDecoder } from '#contracts/rules/reading/encoding.ts'
import { createGpxElements, createKmlElements, createTcxElements } from './elements.ts'
import type { Sink } from './fixes.ts'
import { type Reader, refuseFile } from './fixes.ts'

/** Handles elements by their names without prefix; `text` is the direct text of an element in `texts`, empty for others. */
export type Elements = {
  texts: { has(name: string): boolean }
  open(name: string, attributes: Record<string, string>, line: number): void
  close(name: string, text: string, line: number): void
  end?(): void
}

/** The most characters from the name of an element to its end. */
const MAX_TAG = 1 << 16
/** Longest reference to a character or entity, such as `&#x10FFFF;`. */
const MAX_REFERENCE = 12

/** Parts without positions may be broken: programs forget to escape names of places, and some write a line before the declaration. */
const HARMLESS =
  /declaration|disallowed character\.|duplicate attribute|entity|text data outside|only one root|version number|must be quoted|encoding/i

/** Text that only looks like markup: `Tom & Jerry`, `I <3 you`, `&nbsp;`, control characters. */
const STRAY = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)|<(?![a-z_:/!?\u0080-\uffff])/gi
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them, programs write them all the same
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

/** Adds missing escapes; holds back the end of a piece until more of it is known. */
function createEscaper() {
  let held = ''
  return (text: string, isEnd = false) => {
    const whole = held + text
    const last = Math.max(whole.lastIndexOf('&', whole.length), whole.endsWith('<') ? whole.length - 1 : -1)
    const isOpen = !isEnd && last >= 0 && whole.length - last < MAX_REFERENCE && !whole.includes(';', last)
    held = isOpen ? whole.slice(last) : ''
    const ready = isOpen ? whole.slice(0, last) : whole
    return ready.replace(STRAY, (sign) => (sign === '&' ? '&amp;' : '&lt;')).replace(CONTROL, '\ufffd')
  }
}

/**
 * Reads XML, one element at a time, and continues after broken parts: a damage is reported. A document type is refused, because it can
 * define entities that grow without bound or name other files. Limits everything that the parser would buffer before reporting it.
 */
function createXmlReader(elements: Elements, onDamage: (is: ImportDamage, line: number) => void): Reader {
  const parser = new SaxesParser()
  const decode = createTextDecoder()
  const mend = createEscaper()
  /** The text of each open element; null if it is not needed. */
  const texts: (string | null)[] = []
  let attributes = 0
  let reportedAt = 0
  let longest: number = FILE_SHAPE.text
  let isEnding = false
  const refuse = (problem: ImportProblem) => refuseFile(problem, parser.line)
  /** The parser has reported its buffer; it may buffer `most` characters until the next time. */
  const report = (most: number = FILE_SHAPE.text) => {
    reportedAt = parser.position
    longest = most
  }
  parser.on('error', ({ message }) => {
    if (isEnding) onDamage('ends_early', parser.line)
    else if (!HARMLESS.test(message)) onDamage('damaged', parser.line)
  })
  parser.on('doctype', (type) => {
    throw refuse(/^\s*html\b/i.test(type) ? 'web_page' : 'forbidden')
  })
  parser.on('comment', () => report())
  parser.on('processinginstruction', () => report())
  parser.on('opentagstart', ({ name }) => {
    if (name.length > FILE_SHAPE.name) throw refuse('too_complex')
    attributes = 0
    report(MAX_TAG)
  })
  parser.on('attribute', ({ name }) => {
    if (++attributes > FILE_SHAPE.attributes || name.length > FILE_SHAPE.name) throw refuse('too_complex')
  })
  parser.on('opentag', ({ name, attributes }) => {
    report()
    const element = withoutPrefix(name)
    if (texts.push(null) > FILE_SHAPE.depth) throw refuse('too_deep')
    elements.open(element, attributes as Record<string, string>, parser.line)
    if (elements.texts.has(element)) texts[texts.length - 1] = ''
  })
  const addText = (text: string) => {
    report()
    const before = texts.at(-1)
    if (before === undefined || before === null) return
    if (before.length + text.length > FILE_SHAPE.text) throw refuse('too_complex')
    texts[texts.length - 1] = before + text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', ({ name }) => {
    report()
    const text = texts.pop()
    // An element cut off by the end of the file is incomplete.
    if (!isEnding) elements.close(withoutPrefix(name), (text ?? '').trim(), parser.line)
  })
  return {
    write(bytes) {
      parser.write(mend(decode(bytes)))
      if (parser.position - reportedAt > longest) throw refuse('too_complex')
    },
    end() {
      parser.write(mend(decode(), true))
      isEnding = true
      parser.close()
      elements.end?.()
    },
  }
}

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1)

const NO_TEXTS: ReadonlySet<string> = new Set()

type Format = 'gpx' | 'kml' | 'tcx'
/** Some programs omit `kml`. */
const ROOTS: Record<string, Format> = {
  gpx: 'gpx',
  kml: 'kml',
  Document: 'kml',
  Folder: 'kml',
  Placemark: 'kml',
  TrainingCenterDatabase: 'tcx',
}
const CREATE = { gpx: createGpxElements, kml: createKmlElements, tcx: createTcxElements }

/** GPX, KML or TCX, depending on the first element; `onFormat` is called with it. */
export function createXmlPositionsReader(sink: Sink, onFormat: (format: Format) => void): Reader {
  let elements: Elements | null = null
  return createXmlReader(
    {
      get texts() {
        return elements?.texts ?? NO_TEXTS
      },
      open(name, attributes, line) {
        if (!elements) {
          const format = ROOTS[name] ?? ROOTS[name.toLowerCase()]
          if (!format) throw refuseFile(/^(html|head|body)$/i.test(name) ? 'web_page' : 'unknown_format', line)
          onFormat(format)
          elements = CREATE[format](sink)
        }
        elements.open(name, attributes, line)
      },
      close: (name, text, line) => elements?.close(name, text, line),
      end: () => elements?.end?.(),
    },
    sink.damage,
  )
}

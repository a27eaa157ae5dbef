import { inflateSync } from 'node:zlib'

type Objects = Map<string, string>

/** Extracts the text of a PDF in the order of drawing, using the file's own tables from glyphs to characters. */
export function extractPdfText(pdf: Buffer): string {
  const objects: Objects = new Map()
  for (const [, id, body] of pdf.toString('latin1').matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) objects.set(id!, body!)
  return [...objects.values()]
    .filter((body) => body.includes('/Type /Page\n'))
    .map((page) => extractPageText(page, objects))
    .join('\f')
}

function extractPageText(page: string, objects: Objects) {
  const fonts = new Map<string, string[]>()
  for (const [, name, id] of reference(page, 'Resources', objects).matchAll(/\/(F\d+) (\d+) 0 R/g))
    fonts.set(name!, readCharacterTable(readStream(reference(objects.get(id!) ?? '', 'ToUnicode', objects))))
  let font: string[] = []
  let text = ''
  for (const [, name, shown] of readStream(reference(page, 'Contents', objects)).matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/g)) {
    if (name) font = fonts.get(name) ?? []
    for (const [, glyphs] of (shown ?? '').matchAll(/<([0-9a-f]+)>/g))
      for (const glyph of glyphs!.match(/.{4}/g) ?? []) text += font[Number.parseInt(glyph, 16)] ?? '�'
  }
  return text
}

const reference = (body: string, name: string, objects: Objects) =>
  objects.get(new RegExp(`/${name} (\\d+) 0 R`).exec(body)?.[1] ?? '') ?? ''

const readStream = (body: string) => {
  const stream = /stream\n([\s\S]*)\nendstream/.exec(body)?.[1]
  return stream === undefined ? '' : inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')
}

const readCharacterTable = (table: string) =>
  [...table.matchAll(/<[0-9a-f]{4}> <[0-9a-f]{4}> \[(.*)\]/g)].flatMap(([, row]) =>
    [...row!.matchAll(/<([0-9a-f ]+)>/g)].map(([, units]) =>
      String.fromCharCode(...(units!.match(/[0-9a-f]{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16))),
    ),
  )

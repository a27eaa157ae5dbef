import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { extractPdfText } from '#server/test/test-pdf.ts'
import { openSheet, styles } from './pdf.ts'
import { loadFonts, loadTypeface, splitByScript } from './pdf-fonts.ts'
import { layOutLines } from './right-to-left.ts'

const now = new Date('2026-03-02T09:00:00Z')
const open = (text: string) => openSheet({ title: 'A paper', language: 'ja', now, text })

test('the font is chosen per character', () => {
  expect(splitByScript('春香 Ő号')).toEqual([
    { script: 'japanese', text: '春香' },
    { script: 'latin', text: ' Ő' },
    { script: 'japanese', text: '号' },
  ])
  expect(splitByScript('')).toEqual([])
})

/** A name in each script that has a font of its own. */
const NAMES = [
  'Nguyễn Thị',
  '김철수',
  'ไทย',
  'ქართული',
  'Հայերեն',
  '陈伟',
  'தமிழ்',
  'বাংলা',
  'ខ្មែរ',
  'မြန်မာ',
  'සිංහල',
  'മലയാളം',
  'తెలుగు',
  'ಕನ್ನಡ',
  'ଓଡ଼ିଆ',
  'ગુજરાતી',
  'ਪੰਜਾਬੀ ਸਿੰਘ',
  'አማርኛ',
  'ລາວ',
  'हिन्दी',
  '🐶 Rex',
  '👩🏽\u200d🚀',
  '🇺🇾',
  '1️⃣',
  '★ →',
  'كلب',
  'שלום',
]

test('a name in any script has glyphs in both weights, none of them the box of a missing one', async () => {
  const failures = await collectFailures(NAMES, String, async (name) => {
    for (const { script, text } of (await loadFonts(name)).split(name))
      for (const weight of ['regular', 'bold'] as const) {
        const { glyphs } = (await loadTypeface(script, weight)).layout(text) as { glyphs: { id: number }[] }
        expect(glyphs.filter(({ id }) => id === 0)).toEqual([])
        expect(text).not.toContain('[U+')
      }
  })
  expect(failures).toEqual([])
})

test('a character without a font is written as its number', async () => {
  const sheet = await open('ᏣᎳ Rex')
  sheet.write('P', 'ᏣᎳ Rex', styles.value)
  expect(extractPdfText(await sheet.finish())).toBe('[U+13E3][U+13B3] Rex')
})

const asOne = { split: (text: string) => [{ script: 'latin' as const, text }], measure: ({ text }: { text: string }) => text.length }
const layOut = (text: string, width = 100) => layOutLines(text, width, asOne).map((line) => line.map((run) => run.text))

test('right-to-left words are placed from right to left, numbers and brackets in them in reading order', () => {
  expect(layOut('שלום עולם')).toEqual([['עולם', ' ', 'שלום']])
  expect(layOut('Rex שלום עולם Co')).toEqual([['Rex', ' ', 'עולם', ' ', 'שלום', ' ', 'Co']])
  expect(layOut('שלום 12 עולם')).toEqual([['עולם', ' ', '12', ' ', 'שלום']])
  expect(layOut('שלום (!)')).toEqual([['(!)', ' ', 'שלום']])
})

test('a right-to-left text is broken into lines that fit, each beginning at the right', () => {
  expect(layOut('אאא בבב גגג', 7)).toEqual([['בבב', ' ', 'אאא'], ['גגג']])
  expect(layOut('אאא\nב')).toEqual([['אאא'], ['ב']])
  expect(layOut('')).toEqual([[]])
})

test('the letters of an Arabic word are shaped and in order, its digits from left to right', async () => {
  const write = async (text: string) => {
    const sheet = await open(text)
    sheet.write('P', text, styles.value)
    return extractPdfText(await sheet.finish())
  }
  // A glyph that consists only of dots is the placeholder for a missing letter.
  expect((await write('كلب ١٢٣')).replaceAll('\ufffd', '')).toBe('١٢٣ بلك')
})

test('a long right-to-left text continues on the next page', async () => {
  const text = 'כלב גדול '.repeat(900)
  const sheet = await open(text)
  sheet.write('P', text, styles.value)
  expect(extractPdfText(await sheet.finish()).split('\f').length).toBeGreaterThan(1)
})

test.each(['Ő ű ř ž € £ – ’', '請求書 春香 ポチ', '14,95\u00a0€ 1\u202f234', 'Rex 号 Ő'])(
  '%j can be extracted from the PDF',
  async (text) => {
    const sheet = await open(text)
    sheet.write('P', text, styles.value)
    expect(extractPdfText(await sheet.finish())).toBe(text)
  },
)

test('text of two scripts also ends at the right edge', async () => {
  const sheet = await open('金額 EUR')
  sheet.write('P', '金額 EUR', { ...styles.value, align: 'right' }, { x: 300, width: 200 })
  const runs = splitByScript('金額 EUR')
  const width = runs.reduce((sum, { script, text }) => sum + sheet.doc.font(`${script}-regular`).fontSize(9.5).widthOfString(text), 0)
  expect(sheet.doc.x).toBeCloseTo(500 - width)
  expect(extractPdfText(await sheet.finish())).toBe('金額 EUR')
})

test('content that must stay together starts a new page', async () => {
  const sheet = await open('A')
  sheet.write('P', 'first', styles.value)
  sheet.keepTogether(900)
  sheet.write('P', 'second', styles.value)
  expect(extractPdfText(await sheet.finish())).toBe('first\fsecond')
})

test('a cached font writes the same bytes, whatever was written with it in between', async () => {
  const write = async (text: string) => {
    const sheet = await open(text)
    sheet.write('H1', text, styles.title)
    return sheet.finish()
  }
  const first = await write('Rex 号')
  expect(extractPdfText(await write('Ő žltá Édesapám'))).toBe('Ő žltá Édesapám')
  expect(extractPdfText(await write('Olga zeptá se'))).toBe('Olga zeptá se')
  expect((await write('Rex 号')).equals(first)).toBe(true)
})

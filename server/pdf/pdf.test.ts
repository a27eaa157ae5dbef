import { expect, test } from 'vitest'
import { extractPdfText } from '#server/test/test-pdf.ts'
import { openSheet, styles } from './pdf.ts'
import { splitByScript } from './pdf-fonts.ts'

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

test.each(['Ő ű ř ž € £ – ’', '請求書 春香 ポチ', '14,95\u00a0€ 1\u202f234', 'Rex 号 Ő'])(
  '%j can be extracted from the PDF',
  async (text) => {
    const sheet = await open(text)
    sheet.write('P', text, styles.value)
    expect(extractPdfText(await sheet.finish())).toBe(text)
  },
)

test('text of two scripts ends at the right edge, too', async () => {
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

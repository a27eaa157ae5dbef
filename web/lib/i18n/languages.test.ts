import { createInstance } from 'i18next'
import { beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '#contracts/lib/languages.ts'
import { computeMotion } from '#contracts/rules/history/motion.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createFormats } from './format.ts'
import { durationWords, modeWords, motionWords, periodWords } from './words.ts'

const NOW = new Date('2026-03-02T09:05:00Z')
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000)
const plain = (text: string) => text.replace(/\s/gu, ' ')

// Not the instance of the portal, which changes the document.
const i18n = createInstance()

beforeAll(async () => {
  const words = LANGUAGES.map(async (language) => [
    language,
    { translation: (await import(`../../../locales/${language}/portal-inside.json`)).default },
  ])
  await i18n.init({
    lng: 'en',
    fallbackLng: false,
    resources: Object.fromEntries(await Promise.all(words)),
    interpolation: { escapeValue: false },
    parseMissingKeyHandler: (key) => `MISSING ${key}`,
  })
})
const speaking = (language: Language) => i18n.getFixedT(language)

describe('R-1.23 sentences in every language', () => {
  test('in every language no translation is missing and every placeholder is filled', async () => {
    expect(
      await collectFailures(LANGUAGES, String, (language) => {
        const t = speaking(language)
        const said = [
          ...[0, 1, 8, 9, 22, 99, 120, 1440, 10_000].map((minutes) => motionWords(t, computeMotion(ago(minutes), NOW))),
          ...[1, 2, 3, 5, 11, 12, 13, 24, 60].flatMap((months) => [
            durationWords(t, months),
            durationWords(t, months, 1),
            durationWords(t, months, 5),
          ]),
          ...[1, 2, 3, 5].map((interval_count) => periodWords(t, { interval: 'month', interval_count })),
          ...[1, 2, 3, 4, 7, 8, 9, 10, 21, 22, 23, 50, 99].map((mode) => modeWords(t, modeLabel(mode))),
        ]
        expect(said.filter((text) => /MISSING|\{\{|undefined|NaN/.test(text) || text.trim() === '')).toEqual([])
        expect(motionWords(t, computeMotion(ago(22), NOW))).toContain('22')
        expect(durationWords(t, 5)).toContain('5')
      }),
    ).toEqual([])
  })

  test('months use the plural forms of the language', async () => {
    expect(
      await collectFailures<[Language, number, string]>(
        [
          ['cs', 1, '1 měsíc'],
          ['cs', 3, '3 měsíce'],
          ['cs', 5, '5 měsíců'],
          ['en', 1, '1 month'],
          ['en', 5, '5 months'],
          ['fr', 1, '1 mois'],
          ['de', 3, '3 Monate'],
          ['fi', 3, '3 kuukautta'],
        ],
        JSON.stringify,
        ([language, months, words]) => {
          expect(plain(durationWords(speaking(language), months))).toBe(words)
        },
      ),
    ).toEqual([])
  })

  test('in every language the monitoring levels have different labels', () => {
    for (const language of LANGUAGES) {
      const words = [1, 2, 3, 4, 7].map((mode) => modeWords(speaking(language), modeLabel(mode)))
      expect(new Set(words).size, language).toBe(words.length)
    }
  })
})

describe('dates, ages and measures', () => {
  test('dates, distances and ages have the format of the locale', async () => {
    expect(
      await collectFailures<[string, string, string, string]>(
        [
          ['en-GB', '2 Mar 2026', '7.7 mi', '3 hr ago'],
          ['de', '02.03.2026', '12,3 km', 'vor 3 Std.'],
          ['fr', '2 mars 2026', '12,3 km', 'il y a 3 h'],
          ['sv', '2 mars 2026', '12,3 km', 'för 3 tim sedan'],
          ['ja', '2026/03/02', '12.3 km', '3 時間前'],
        ],
        JSON.stringify,
        ([locale, date, distance, age]) => {
          const formats = createFormats(locale)
          expect(plain(formats.date(NOW))).toBe(date)
          expect(plain(formats.distance(12_340))).toBe(distance)
          expect(plain(formats.age(ago(180), NOW))).toBe(age)
        },
      ),
    ).toEqual([])
  })

  test('in every language an age never lies in the future, even when the tracker’s clock is fast', async () => {
    expect(
      await collectFailures(LANGUAGES, String, (language) => {
        const { age } = createFormats(language)
        expect(age(new Date(NOW.getTime() + 3_600_000), NOW)).toBe(age(NOW, NOW))
      }),
    ).toEqual([])
  })

  test('in every language ages of minutes, hours and days have different texts', async () => {
    expect(
      await collectFailures(LANGUAGES, String, (language) => {
        const { age } = createFormats(language)
        const read = [1, 59, 60, 119, 120, 1439, 1440, 2880, 129_600].map((minutes) => age(ago(minutes), NOW))
        expect(new Set(read).size).toBe(read.length - 1)
        expect(read[2]).toBe(read[3])
      }),
    ).toEqual([])
  })

  test('in every language a duration shows its hours and minutes', async () => {
    expect(
      await collectFailures(LANGUAGES, String, (language) => {
        const { duration } = createFormats(language)
        expect(duration(61 * 60_000)).toMatch(/1\D+1\D*$/)
        expect(duration(25 * 3_600_000)).toContain('25')
        expect(duration(-5)).toBe(duration(0))
      }),
    ).toEqual([])
  })
})

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { Typeface } from 'fontkit'
import { findProgramFile } from '#db/program-files.ts'

export type Weight = 'regular' | 'bold'

/** Folder of compressed copies of the fonts in the build; without it they come from their packages. */
const BUILT_FONTS = findProgramFile('dist/server/fonts')

const SANS = '@expo-google-fonts/noto-sans'
/**
 * Scripts other than those of the portal's languages occur only in names, so one weight suffices. WOFF and not WOFF2, of which fontkit
 * cannot write a subset.
 */
const nameFont = (family: string, part: string) => `@fontsource/${family}/files/${family}-${part}-400-normal.woff`
const scriptFont = (script: string) => nameFont(`noto-sans-${script}`, script)

/** The fonts of each script, and the characters for which they are the first choice; `latin` is used for all others. */
const SCRIPTS = {
  latin: { pattern: null, regular: `${SANS}/400Regular/NotoSans_400Regular.ttf`, bold: `${SANS}/700Bold/NotoSans_700Bold.ttf` },
  emoji: { pattern: /\p{Emoji_Presentation}|\ufe0f|\u20e3/u, regular: nameFont('noto-emoji', 'emoji') },
  korean: { pattern: /\p{Script=Hangul}/u, regular: nameFont('noto-sans-kr', 'korean') },
  // Noto Sans lacks kana and kanji, Noto Sans JP lacks ő and ř.
  japanese: {
    pattern: /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u,
    regular: `${SANS}-jp/400Regular/NotoSansJP_400Regular.ttf`,
    bold: `${SANS}-jp/700Bold/NotoSansJP_700Bold.ttf`,
  },
  chinese: { pattern: null, regular: nameFont('noto-sans-sc', 'chinese-simplified') },
  arabic: { pattern: /\p{Script_Extensions=Arabic}/u, regular: scriptFont('arabic') },
  hebrew: { pattern: /\p{Script=Hebrew}/u, regular: scriptFont('hebrew') },
  thai: { pattern: /\p{Script=Thai}/u, regular: scriptFont('thai') },
  georgian: { pattern: /\p{Script=Georgian}/u, regular: scriptFont('georgian') },
  armenian: { pattern: /\p{Script=Armenian}/u, regular: scriptFont('armenian') },
  bengali: { pattern: /\p{Script=Bengali}/u, regular: scriptFont('bengali') },
  ethiopic: { pattern: /\p{Script=Ethiopic}/u, regular: scriptFont('ethiopic') },
  gujarati: { pattern: /\p{Script=Gujarati}/u, regular: scriptFont('gujarati') },
  gurmukhi: { pattern: /\p{Script=Gurmukhi}/u, regular: scriptFont('gurmukhi') },
  kannada: { pattern: /\p{Script=Kannada}/u, regular: scriptFont('kannada') },
  khmer: { pattern: /\p{Script=Khmer}/u, regular: scriptFont('khmer') },
  lao: { pattern: /\p{Script=Lao}/u, regular: scriptFont('lao') },
  malayalam: { pattern: /\p{Script=Malayalam}/u, regular: scriptFont('malayalam') },
  myanmar: { pattern: /\p{Script=Myanmar}/u, regular: scriptFont('myanmar') },
  oriya: { pattern: /\p{Script=Oriya}/u, regular: scriptFont('oriya') },
  sinhala: { pattern: /\p{Script=Sinhala}/u, regular: scriptFont('sinhala') },
  tamil: { pattern: /\p{Script=Tamil}/u, regular: scriptFont('tamil') },
  telugu: { pattern: /\p{Script=Telugu}/u, regular: scriptFont('telugu') },
} satisfies Record<string, { pattern: RegExp | null; regular: string; bold?: string }>

export type Script = keyof typeof SCRIPTS

const scripts = Object.keys(SCRIPTS) as Script[]

export const FONT_FILES: string[] = Object.values(SCRIPTS).flatMap((fonts) =>
  'bold' in fonts ? [fonts.regular, fonts.bold] : fonts.regular,
)

const loaded = new Map<string, Promise<Typeface>>()

async function parseTypeface(name: string) {
  const { create } = await import('fontkit') // slow to load, so not at the start of the server
  return create(await readFont(name))
}

async function readFont(name: string): Promise<Buffer> {
  const built = await readFile(path.join(BUILT_FONTS, `${path.basename(name)}.br`)).catch(() => null)
  return built ? promisify(brotliDecompress)(built) : readFile(createRequire(import.meta.url).resolve(name))
}

/** Left-to-right scripts, even if their digits are Arabic. */
const NUMBER = /^[\p{Nd}\p{P}\s\u066b\u066c]+$/u

/**
 * Some combining marks, such as those of Gurmukhi, have no anchor on some letters, which fontkit does not expect; they are then written
 * after their letter.
 */
const WITHOUT_MARKS = { abvm: false, blwm: false, mark: false, mkmk: false }

/**
 * Returns a font for one document; without a bold one the regular one. It is parsed once per process, because that takes ten times as long
 * as writing a page. But a cached glyph remembers the characters that it was first used for, so every document starts with an empty glyph
 * cache.
 */
export async function loadTypeface(script: Script, weight: Weight): Promise<Typeface> {
  const fonts: { regular: string; bold?: string } = SCRIPTS[script]
  const name = fonts[weight] ?? fonts.regular
  const known = loaded.get(name) ?? parseTypeface(name)
  loaded.set(name, known)
  const typeface = await known
  function layout(this: Typeface, text: string, features?: object) {
    const direction = NUMBER.test(text) ? 'ltr' : undefined
    try {
      return typeface.layout.call(this, text, features, undefined, undefined, direction)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      return typeface.layout.call(this, text, WITHOUT_MARKS, undefined, undefined, direction)
    }
  }
  return Object.create(typeface, { _glyphs: { value: {} }, layout: { value: layout } })
}

export type Run = { script: Script; text: string }

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
export const listGraphemes = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment)

/** Letters that Noto Sans contains. */
const PLAIN = /^[\n\u0020-\u024f\u2010-\u2026]*$/

const scriptOf = (grapheme: string): Script => {
  if (PLAIN.test(grapheme)) return 'latin'
  return scripts.find((script) => SCRIPTS[script].pattern?.test(grapheme)) ?? 'latin'
}

/** Joins adjacent parts of the same font. */
function joinRuns(parts: readonly Run[]): Run[] {
  const runs: Run[] = []
  for (const { script, text } of parts) {
    const last = runs.at(-1)
    if (last?.script === script) last.text += text
    else runs.push({ script, text })
  }
  return runs
}

/** Splits a text by the first-choice fonts of its characters. */
export const splitByScript = (text: string): Run[] =>
  joinRuns(listGraphemes(text).map((grapheme) => ({ script: scriptOf(grapheme), text: grapheme })))

const OTHER_CHOICES: readonly Script[] = ['latin', 'emoji', 'japanese', 'chinese']

/**
 * Loads the fonts that a text needs. `split` splits any part of it by font; a character without a font is written as its number,
 * `[U+13A0]`.
 */
export async function loadFonts(text: string) {
  const faces = new Map<Script, Typeface>()
  const load = async (script: Script) => {
    const face = faces.get(script) ?? (await loadTypeface(script, 'regular'))
    faces.set(script, face)
    return face
  }
  await load('latin')
  const chosen = new Map<string, Script | null>()
  for (const grapheme of new Set(listGraphemes(text))) if (!PLAIN.test(grapheme)) chosen.set(grapheme, await chooseScript(grapheme, load))
  const split = (part: string) =>
    joinRuns(
      listGraphemes(part).map((grapheme) => {
        const script = chosen.get(grapheme)
        return script === null
          ? { script: 'latin', text: nameCharacters(grapheme) }
          : { script: script ?? scriptOf(grapheme), text: grapheme }
      }),
    )
  const used = new Set<Script>(['latin', ...[...chosen.values()].filter((script) => script !== null)])
  /** Height above the baseline in parts of the font size. */
  const ascentOf = (script: Script) => {
    const { ascent, unitsPerEm } = faces.get(script)!
    return ascent / unitsPerEm
  }
  return { used, split, ascentOf }
}

async function chooseScript(grapheme: string, load: (script: Script) => Promise<Typeface>) {
  for (const script of new Set([scriptOf(grapheme), ...OTHER_CHOICES])) if (hasGlyphs(await load(script), grapheme)) return script
  return null
}

const UNSEEN = /[\s\p{Default_Ignorable_Code_Point}]/u

const hasGlyphs = (face: Typeface, grapheme: string) =>
  [...grapheme].every((character) => UNSEEN.test(character) || face.hasGlyphForCodePoint(character.codePointAt(0)!))

const nameCharacters = (grapheme: string) =>
  [...grapheme].map((character) => `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`).join('')

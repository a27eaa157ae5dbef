import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { Typeface } from 'fontkit'
import { findProgramFile } from '#db/program-files.ts'

export type Script = 'latin' | 'japanese'
export type Weight = 'regular' | 'bold'

/** Where the build puts compressed copies of the fonts; without it they come from their packages. */
const BUILT_FONTS = findProgramFile('dist/server/fonts')

const SANS = '@expo-google-fonts/noto-sans'

export const FONT_FILES = {
  'latin-regular': `${SANS}/400Regular/NotoSans_400Regular.ttf`,
  'latin-bold': `${SANS}/700Bold/NotoSans_700Bold.ttf`,
  'japanese-regular': `${SANS}-jp/400Regular/NotoSansJP_400Regular.ttf`,
  'japanese-bold': `${SANS}-jp/700Bold/NotoSansJP_700Bold.ttf`,
} satisfies Record<`${Script}-${Weight}`, string>

const loaded = new Map<string, Promise<Typeface>>()

async function parseTypeface(name: string) {
  const { create } = await import('fontkit') // takes a while to load, so not when the server starts
  return create(await readFont(name))
}

async function readFont(name: string): Promise<Buffer> {
  const built = await readFile(path.join(BUILT_FONTS, `${path.basename(name)}.br`)).catch(() => null)
  return built ? promisify(brotliDecompress)(built) : readFile(createRequire(import.meta.url).resolve(name))
}

/**
 * Returns a font for one document. It is parsed once per process, which takes ten times as long as writing a page. But a cached glyph keeps
 * the characters that it was first used for, so every document starts with an empty glyph cache.
 */
export async function loadTypeface(script: Script, weight: Weight): Promise<Typeface> {
  const name = FONT_FILES[`${script}-${weight}`]
  const known = loaded.get(name) ?? parseTypeface(name)
  loaded.set(name, known)
  return Object.create(await known, { _glyphs: { value: {} } })
}

/** Noto Sans lacks kana and kanji, Noto Sans JP lacks ő and ř, so the font depends on the character. */
const JAPANESE = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+/gu

export function splitByScript(text: string): { script: Script; text: string }[] {
  const runs: { script: Script; text: string }[] = []
  let at = 0
  const add = (script: Script, to: number) => {
    if (to > at) runs.push({ script, text: text.slice(at, to) })
    at = to
  }
  for (const match of text.matchAll(JAPANESE)) {
    add('latin', match.index)
    add('japanese', match.index + match[0].length)
  }
  add('latin', text.length)
  return runs
}

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

export type Script = 'latin' | 'japanese'
export type Weight = 'regular' | 'bold'

const { resolve } = createRequire(import.meta.url)
const SANS = '@expo-google-fonts/noto-sans'

const files = {
  'latin-regular': `${SANS}/400Regular/NotoSans_400Regular.ttf`,
  'latin-bold': `${SANS}/700Bold/NotoSans_700Bold.ttf`,
  'japanese-regular': `${SANS}-jp/400Regular/NotoSansJP_400Regular.ttf`,
  'japanese-bold': `${SANS}-jp/700Bold/NotoSansJP_700Bold.ttf`,
} satisfies Record<`${Script}-${Weight}`, string>

const loaded = new Map<string, Promise<Buffer>>()

/** The bytes of a typeface, read once. */
export function fontFile(script: Script, weight: Weight) {
  const name = files[`${script}-${weight}`]
  const known = loaded.get(name) ?? readFile(resolve(name))
  loaded.set(name, known)
  return known
}

/** Noto Sans has no kana and kanji, Noto Sans JP no ő and ř: so the font goes by the character. */
const JAPANESE = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+/gu

/** Text cut into runs of one script each. */
export function runsOf(text: string): { script: Script; text: string }[] {
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

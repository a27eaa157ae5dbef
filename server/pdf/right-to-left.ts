import createBidi, { type EmbeddingLevels } from 'bidi-js'
import { listGraphemes, type Run } from './pdf-fonts.ts'

const bidi = createBidi()

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
export const isRightToLeft = (text: string) => RIGHT_TO_LEFT.test(text)

type Measure = (run: Run) => number
type Fonts = { split: (text: string) => Run[]; measure: Measure }

/**
 * Breaks a text with right-to-left words into lines, each with its runs from left to right (Unicode annex 9). The font orders the letters
 * within a run.
 */
export function layOutLines(text: string, width: number, fonts: Fonts): Run[][] {
  return text.split('\n').flatMap((paragraph) => {
    const levels = bidi.getEmbeddingLevels(paragraph)
    return breakLines(paragraph, width, fonts).map(([start, end]) => orderRuns({ text: paragraph, levels, start, end }, fonts))
  })
}

/** Start and end of each line; a word that is wider than the line is not broken. */
function breakLines(text: string, width: number, { split, measure }: Fonts): [number, number][] {
  const lines: [number, number][] = []
  let [start, end, taken] = [0, 0, 0]
  for (const word of text.match(/\s*\S+/g) ?? []) {
    const wide = split(word).reduce((sum, run) => sum + measure(run), 0)
    if (end > start && taken + wide > width) {
      lines.push([start, end])
      start = end + word.length - word.trimStart().length
      taken = 0
    }
    end += word.length
    taken += wide
  }
  return [...lines, [start, end]]
}

type Line = { text: string; levels: EmbeddingLevels; start: number; end: number }

function orderRuns({ text, levels: found, start, end }: Line, { split }: Fonts): Run[] {
  const order = bidi.getReorderedIndices(text, found, start, end - 1).slice(start, end)
  const { levels } = found
  const isTogether = (a: number, b: number) => levels[a] === levels[b] && /\s/.test(text[a]!) === /\s/.test(text[b]!)
  const runs: Run[] = []
  for (let at = 0; at < order.length; ) {
    let to = at + 1
    while (to < order.length && Math.abs(order[to]! - order[to - 1]!) === 1 && isTogether(order[to]!, order[to - 1]!)) to += 1
    const piece = text.slice(Math.min(order[at]!, order[to - 1]!), Math.max(order[at]!, order[to - 1]!) + 1)
    runs.push(...(levels[order[at]!]! % 2 === 1 ? split(piece).reverse().map(mirror) : split(piece)))
    at = to
  }
  return runs
}

/** Fonts reverse right-to-left letters, but not the punctuation between them, whose brackets are also mirrored. */
function mirror({ script, text }: Run): Run {
  if (isRightToLeft(text)) return { script, text }
  const signs = listGraphemes(text).reverse()
  return { script, text: signs.map((sign) => bidi.getMirroredCharacter(sign) ?? sign).join('') }
}

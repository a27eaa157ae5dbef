import { readFileSync } from 'node:fs'

const WORD = /'([^']*)'|(\S+)/g

/** The blocks of a guide in order: commands, and what is said as JSON. */
export const blocksOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/```(sh|json)\n([\s\S]*?)```/g)].map(([, kind, text = '']) => ({ kind, text }))

/** The words of a line as a shell reads it. */
export const wordsOf = (line: string) => [...line.matchAll(WORD)].map(([, quoted, bare]) => quoted ?? bare ?? '')

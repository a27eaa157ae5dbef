import { readFileSync } from 'node:fs'

const WORD = /'([^']*)'|(\S+)/g

/** The code blocks of a guide in order: shell commands, and JSON that they print. */
export const readCodeBlocks = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/```(sh|json)\n([\s\S]*?)```/g)].map(([, kind, text = '']) => ({ kind, text }))

/** Splits a command line into words like a shell. */
export const splitCommand = (line: string) => [...line.matchAll(WORD)].map(([, quoted, bare]) => quoted ?? bare ?? '')

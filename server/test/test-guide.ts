import { readFileSync } from 'node:fs'

const WORD = /'([^']*)'|(\S+)/g

/** The code blocks of a guide in order: shell commands, and the JSON that they print. */
export const readCodeBlocks = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/```(sh|json)\n([\s\S]*?)```/g)].map(([, kind, text = '']) => ({ kind, text }))

/** All code blocks of a document in order, including indented ones, by their language. */
export const listBlocks = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^( *)```(.*)\n([\s\S]*?)^\1```/gm)].map(([, indent = '', language = '', text = '']) => ({
    language,
    text: text.replaceAll(`\n${indent}`, '\n').trim(),
  }))

/** Splits a command line into words like a shell. */
export const splitCommand = (line: string) => [...line.matchAll(WORD)].map(([, quoted, bare]) => quoted ?? bare ?? '')

import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'

/** Path from the project folder -> text. Checks take this map so that tests can plant violations without a disk. */
export type Files = ReadonlyMap<string, string>

export const selectFiles = (files: Files, passes: (path: string) => boolean): [path: string, text: string][] =>
  [...files].filter(([path]) => passes(path)).sort(([a], [b]) => (a < b ? -1 : 1))

const BINARY_FILE = /\.(png|jpe?g|gif|ico|webp|woff2?|ttf|pbf|gz|br|db|sqlite)$/

export const readProjectFiles = (): Files => {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  const paths = list.split('\0').filter((path) => path !== '' && !BINARY_FILE.test(path))
  return new Map(
    paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile()).map((path) => [path, readFileSync(path, 'utf8')]),
  )
}

const TOP_FOLDERS = ['contracts', 'db', 'server', 'web', 'scripts', 'e2e']

/** Our own code: TypeScript, and the modules that run before TypeScript can. */
export const isCode = (path: string) => /\.(tsx?|mjs)$/.test(path) && TOP_FOLDERS.includes(path.slice(0, path.indexOf('/')))

/** Tests and test support, which may import anything. */
export const isTest = (path: string) =>
  /\.test\.tsx?$|\/(testing|test-[\w-]+)\.tsx?$/.test(path) || /^(e2e|web\/test|server\/test|scripts\/test-setup)\//.test(path)

export const isSource = (path: string) => isCode(path) && !isTest(path)

export const countLines = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

const TOKENS = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

const blank = (text: string) => text.replace(/[^\n]/g, ' ')

export const blankComments = (text: string) => text.replace(TOKENS, (token) => (token.startsWith('/') ? blank(token) : token))

/** Blanks comments and plain strings. Template strings stay because they contain code. */
export const blankStrings = (text: string) => text.replace(TOKENS, (token) => (token.startsWith('`') ? token : blank(token)))

export const findMatches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => ({ line: text.slice(0, match.index).split('\n').length, match }))

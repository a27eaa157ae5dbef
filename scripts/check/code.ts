const TOPS = ['contracts', 'db', 'server', 'web', 'scripts', 'e2e']

/** Our own program text: TypeScript, and the modules that run before TypeScript can. */
export const isCode = (path: string) => /\.(tsx?|mjs)$/.test(path) && TOPS.includes(path.slice(0, path.indexOf('/')))

/** Tests and what serves tests only; they may import anything. */
export const isTest = (path: string) =>
  /\.test\.tsx?$|\/(testing|test-[\w-]+)\.tsx?$/.test(path) || /^(e2e|web\/test|server\/test|scripts\/test-setup)\//.test(path)

export const isSource = (path: string) => isCode(path) && !isTest(path)

export const lineCount = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

const TOKENS = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

const blank = (text: string) => text.replace(/[^\n]/g, ' ')

/** The text with its comments blanked; line numbers stay. */
export const withoutComments = (text: string) => text.replace(TOKENS, (token) => (token.startsWith('/') ? blank(token) : token))

/** The text with comments and plain strings blanked; template strings stay, because code stands in them. */
export const withoutStrings = (text: string) => text.replace(TOKENS, (token) => (token.startsWith('`') ? token : blank(token)))

/** Line number of each match, with the match. */
export const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => ({ line: text.slice(0, match.index).split('\n').length, match }))

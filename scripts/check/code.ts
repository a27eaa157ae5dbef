const TOPS = ['contracts', 'db', 'server', 'web', 'scripts', 'e2e']

/** Our own code: TypeScript, and the modules that run before TypeScript can. */
export const isCode = (path: string) => /\.(tsx?|mjs)$/.test(path) && TOPS.includes(path.slice(0, path.indexOf('/')))

/** Tests and test support, which may import anything. */
export const isTest = (path: string) =>
  /\.test\.tsx?$|\/(testing|test-[\w-]+)\.tsx?$/.test(path) || /^(e2e|web\/test|server\/test|scripts\/test-setup)\//.test(path)

export const isSource = (path: string) => isCode(path) && !isTest(path)

export const lineCount = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

const TOKENS = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

const blank = (text: string) => text.replace(/[^\n]/g, ' ')

/** Blanks comments; line numbers stay the same. */
export const withoutComments = (text: string) => text.replace(TOKENS, (token) => (token.startsWith('/') ? blank(token) : token))

/** Blanks comments and plain strings. Template strings stay because they contain code. */
export const withoutStrings = (text: string) => text.replace(TOKENS, (token) => (token.startsWith('`') ? token : blank(token)))

export const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => ({ line: text.slice(0, match.index).split('\n').length, match }))

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import { LANGUAGES } from '#contracts/lib/languages.ts'

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk

const SOURCE = 'web/app/start/start.ts'
/** Where the script is inserted into web/index.html: before the style sheets, which would delay it. */
const PLACE = '<!-- start -->'

const toFiles = (chunk: Chunk) => ({
  scripts: [`/${chunk.fileName}`],
  styles: [...(chunk.viteMetadata?.importedCss ?? [])].map((file) => `/${file}`),
})

/** Returns the values of the constants that the inline script declares: the files of the first pages, by their hashed names. */
function listFirstFiles(bundle: Bundle) {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const find = (what: string, matches: (chunk: Chunk) => boolean) => {
    const chunk = chunks.find(matches)
    if (!chunk) throw new Error(`The build has no chunk ${what}, which ${SOURCE} loads first`)
    return chunk
  }
  const findNamed = (name: string) => toFiles(find(name, (chunk) => chunk.name === name))
  const findWords = (language: string, file: string) =>
    toFiles(find(`${language}/${file}`, ({ facadeModuleId }) => facadeModuleId?.endsWith(`/locales/${language}/${file}.json`) ?? false))
      .scripts[0]
  const login = findNamed('login')
  const home = findNamed('home')
  const history = findNamed('history')
  return {
    ENTRY: toFiles(find('of the entry', ({ isEntry }) => isEntry)),
    PAGES: {
      login,
      home: { scripts: [...home.scripts, ...login.scripts], styles: [...login.styles, ...home.styles] },
      history: {
        scripts: [...history.scripts, ...home.scripts, ...login.scripts],
        styles: [...login.styles, ...home.styles, ...history.styles],
      },
    },
    WORDS: Object.fromEntries(
      LANGUAGES.map((language) => [
        language,
        {
          all: findWords(language, 'portal'),
          inside: [findWords(language, 'portal-inside'), findWords(language, 'portal-extras')],
          history: findWords(language, 'portal-trackers'),
        },
      ]),
    ),
    SLOW: Object.fromEntries(LANGUAGES.map((language) => [language, readSlowSentence(language)])),
  }
}

/** The message for a slow connection, which must be available before the locale files are. */
const readSlowSentence = (language: string): string =>
  JSON.parse(readFileSync(path.join('locales', language, 'portal.json'), 'utf8')).app.slow

async function buildStartScript(constants: Record<string, unknown>) {
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)])),
    build: { write: false, target: 'es2022', lib: { entry: SOURCE, formats: ['iife'], name: 'start' } },
  })
  const [result] = [output].flat() as Rolldown.RolldownOutput[]
  return result!.output[0].code.trim()
}

/** Puts the inline script into the page. The server allows it by its hash (server/http/portal.ts). */
export const startScript: Plugin = {
  name: 'start-script',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: async (html, { bundle = {} }) => {
      if (!html.includes(PLACE)) throw new Error(`web/index.html has no ${PLACE}`)
      const script = await buildStartScript(listFirstFiles(bundle))
      return html.replace(PLACE, () => `<script>${script}</script>`)
    },
  },
}

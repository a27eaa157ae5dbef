import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { convertCssVariables, DEFAULT_THEME, deepMerge, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import type { Plugin } from 'vite'
import { cssVariables, theme } from '#web/theme/theme.ts'

const HELPER = /\/preload-helper\.js$/
const LOADER = path.resolve('web/lib/chunk.ts').replaceAll('\\', '/')

/** Loads the files of chunks by our own function instead of Vite's, which gives up when a request fails. */
export const chunkFiles: Plugin = {
  name: 'chunk-files',
  apply: 'build',
  enforce: 'pre',
  load: (id) => (HELPER.test(id) ? `export { importWithFiles as __vitePreload } from ${JSON.stringify(LOADER)}` : undefined),
}

const SCRIPT = fileURLToPath(new URL('../../server/mock/panel/main.ts', import.meta.url))

/** `npm run dev` adds the developer panel from its source; the local stack adds its build to the pages that it serves. */
export const devPanel: Plugin = {
  name: 'developer-panel',
  apply: 'serve',
  transformIndexHtml: () => [{ tag: 'script', attrs: { type: 'module', src: `/@fs/${SCRIPT.replace(/^\//, '')}` }, injectTo: 'head' }],
}

/** This plugin fills the list; it stays empty in tests. */
const PLACE = /\/web\/theme\/variables\.css$/

/** Returns the variables that Mantine's styles use, with the values of our theme. */
function formatThemeVariables() {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme)
  const scheme = (name: string) => ({ '--mantine-color-scheme': name })
  const variables = deepMerge(deepMerge(defaultCssVariablesResolver(merged), cssVariables(merged)), {
    variables: {},
    dark: scheme('dark'),
    light: scheme('light'),
  })
  return convertCssVariables(variables, ':root')
}

/** Mantine would insert them as a style element, which the content security policy forbids. */
export const themeStyles: Plugin = {
  name: 'theme-styles',
  enforce: 'pre',
  load: (id) => (PLACE.test(id.replaceAll('\\', '/').split('?')[0] ?? '') ? formatThemeVariables() : undefined),
}

const CONTRACT = /\/contracts\/[^?]*\.ts$/
const TEXT = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|` + String.raw`\x60(?:[^\x60\\]|\\.)*\x60`
const SUMMARY = new RegExp(String.raw`^\s*(?:summary|provenance):\s*(?:${TEXT}),?$`, 'gm')

/** Leaves out what contracts say only to readers of the API reference: the summary and the origin of each call. */
export const dropSummaries: Plugin = {
  name: 'drop-summaries',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) => (CONTRACT.test(id.replaceAll('\\', '/')) ? { code: code.replace(SUMMARY, ''), map: null } : undefined),
}

/** V8 compiles all functions of a script that begins with this on another thread, instead of each on the thread of the page when called. */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad\n'

/** Chunks most of whose functions are called before the first page is visible. */
const FIRST_CHUNKS = new Set(['index', 'login', 'home'])

/** Adds the hint at the end of the build, because only the very beginning of a file counts, where Vite inserts its list of files. */
export const compileHint: Plugin = {
  name: 'compile-hint',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const output of Object.values(bundle))
        if (output.type === 'chunk' && FIRST_CHUNKS.has(output.name)) output.code = COMPILE_HINT + output.code
    },
  },
}

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build, type InlineConfig } from 'vite'
import { runTool } from '#scripts/check/tools.ts'
import { NATIVE_PACKAGES, withoutSecondDriver } from './server-files.ts'

const ENTRIES = ['index', 'client', 'contracts', 'cypress', 'playwright', 'vitest'] as const
/** Packages left to the installation: the native ones, and those that the package's own types refer to. */
export const EXTERNAL = [...NATIVE_PACKAGES, 'zod', 'zod/mini', '@playwright/test']
const FORMATS = { esm: 'module', cjs: 'commonjs' } as const

/**
 * Builds the modules that other projects import and run: the terminal, and client, contracts and Playwright fixture as ES and CommonJS
 * modules with their types. Returns the folder.
 */
export async function buildPackage(folder: string, cityFolder: string) {
  rmSync(folder, { recursive: true, force: true })
  await bundle({ input: { cli: 'scripts/cli/run.ts' }, folder, format: 'esm', external: [...NATIVE_PACKAGES, '@playwright/test'] })
  const input = Object.fromEntries(ENTRIES.map((name) => [name, `scripts/package/${name}.ts`]))
  for (const [format, type] of Object.entries(FORMATS)) {
    const at = path.join(folder, format)
    await bundle({ input, folder: at, format: format as keyof typeof FORMATS, external: EXTERNAL })
    writeFileSync(path.join(at, 'package.json'), `${JSON.stringify({ type })}\n`)
  }
  await writeTypes(folder)
  compressCity(cityFolder)
  return folder
}

type Bundle = { input: Record<string, string>; folder: string; format: keyof typeof FORMATS; external: string[] }

export const bundle = ({ input, folder, format, external }: Bundle) =>
  build({
    configFile: false,
    logLevel: 'warn',
    mode: 'production',
    publicDir: false,
    plugins: [withoutSecondDriver],
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: { input, output: { format, entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' } },
    },
  } satisfies InlineConfig)

/**
 * TypeScript writes a declaration for each source; imports by `#` become relative, which every kind of resolution understands. The types of
 * the ES modules pass on those of the CommonJS modules, so that they exist once.
 */
async function writeTypes(folder: string) {
  const types = path.join(folder, 'types')
  const { status, output } = await runTool('tsc', ['-p', 'scripts/package/tsconfig.json', '--outDir', types])
  if (status !== 0) throw new Error(`The types of the package could not be written:\n${output}`)
  for (const file of readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts')))
    writeFile(path.join(folder, 'cjs/types', file), makeImportsRelative(readFileSync(path.join(types, file), 'utf8'), file))
  for (const name of ENTRIES) writeFile(path.join(folder, `esm/${name}.d.ts`), `export * from '../cjs/types/scripts/package/${name}.js'\n`)
  rmSync(types, { recursive: true })
}

function writeFile(file: string, text: string) {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Rewrites `#contracts/tags.ts` to `../../contracts/tags.js` in the text of a declaration at `file`, a path from the project's folder. */
const makeImportsRelative = (text: string, file: string) =>
  text
    .replace(/(["'])#([^"']+)\.ts\1/g, (_, quote: string, target: string) => {
      const relative = path.posix.relative(path.posix.dirname(file.replaceAll('\\', '/')), target)
      return `${quote}${relative.startsWith('.') ? relative : `./${relative}`}.js${quote}`
    })
    .replace(/(["'])(\.{1,2}\/[^"']+)\.ts\1/g, '$1$2.js$1')

function compressCity(folder: string) {
  for (const file of readdirSync(folder).filter((name) => !name.endsWith('.br'))) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    writeFileSync(path.join(folder, `${file}.br`), brotliCompressSync(readFileSync(path.join(folder, file)), { params }))
  }
}

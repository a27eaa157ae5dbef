import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

/** Here each build writes which modules its files have, as `{ "/assets/home-1234567.js": ["web/home/home-screen.tsx"] }`. */
export const MODULES = 'dist/modules'

const toSource = (id: string) => path.relative(process.cwd(), id.replace(/\?.*$/, '')).replaceAll(path.sep, '/')

const isOwn = (source: string) => !/^\.\.|^\0|node_modules\//.test(source)

/** Lists the modules of a build by the paths of its files, so that a record of requests shows which modules a page loads. */
export const listModules = (name: string, base: string): Plugin => ({
  name: 'list-modules',
  apply: 'build',
  writeBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
    const modules = chunks.map(({ fileName, moduleIds, facadeModuleId }) => {
      const sources = [...moduleIds, ...(facadeModuleId ? [facadeModuleId] : [])].map(toSource)
      return [base + fileName, [...new Set(sources)].filter(isOwn)]
    })
    mkdirSync(MODULES, { recursive: true })
    writeFileSync(path.join(MODULES, `${name}.json`), JSON.stringify(Object.fromEntries(modules)))
  },
})

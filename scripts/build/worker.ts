import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { transformWithOxc } from 'vite'

/**
 * Writes the id of a build. The hash of the page is enough: it names its entry by content, and the entry its chunks. Open portals read the
 * id from `/config.json` and offer to reload.
 */
export function writeBuildId(folder: string) {
  const id = createHash('sha256')
    .update(readFileSync(path.join(folder, 'index.html')))
    .digest('hex')
    .slice(0, 12)
  writeFileSync(path.join(folder, 'build.txt'), `${id}\n`)
}

type Chunk = { file: string; isEntry?: boolean; css?: string[]; assets?: string[]; imports?: string[]; dynamicImports?: string[] }
type Manifest = Record<string, Chunk>

const LANGUAGE_CHUNK = /locales\/(\w+)\/portal[\w-]*\.json$/

/** The operator's console is for staff, who are online; no owner's browser downloads it. */
const CONSOLE = /^operator\/|locales\/\w+\/operator\.json$/

/** The keys of the chunks that the page loads, at once or later, without the console and what only the console loads. */
function listReached(manifest: Manifest) {
  const reached = new Set<string>()
  const queue = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    if (reached.has(key)) continue
    reached.add(key)
    const { imports = [], dynamicImports = [] } = manifest[key] ?? {}
    queue.push(...[...imports, ...dynamicImports].filter((next) => !CONSOLE.test(next)))
  }
  return reached
}

export function listCachedFiles(manifest: Manifest) {
  const files = new Set<string>()
  const words: Record<string, string[]> = {}
  const reached = listReached(manifest)
  for (const [key, { file, css = [], assets = [] }] of Object.entries(manifest).filter(([key]) => reached.has(key))) {
    const language = LANGUAGE_CHUNK.exec(key)?.[1]
    if (language) words[language] = [...(words[language] ?? []), `/${file}`]
    else for (const one of [file, ...css, ...assets]) files.add(`/${one}`)
  }
  return { files: [...files], words }
}

/** Returns `web/app/update/service-worker.ts` as a classic script, because not every browser runs modules as workers. */
export const workerScript = async () => {
  const { code } = await transformWithOxc(readFileSync('web/app/update/service-worker.ts', 'utf8'), 'service-worker.ts')
  return code.replace(/^export \{\s*\};?$/m, '')
}

export async function writeWorker(folder: string) {
  const { files, words } = listCachedFiles(JSON.parse(readFileSync(path.join(folder, '.vite', 'manifest.json'), 'utf8')))
  const build = readFileSync(path.join(folder, 'build.txt'), 'utf8').trim()
  const lists = { BUILD: build, FILES: files, WORDS: words }
  const text = Object.entries(lists).map(([name, value]) => `const ${name} = ${JSON.stringify(value)}`)
  writeFileSync(path.join(folder, 'worker.js'), `${text.join('\n')}\n${await workerScript()}`)
}

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { transformWithOxc } from 'vite'

type Chunk = { file: string; css?: string[]; assets?: string[] }

const LANGUAGE = /locales\/(\w+)\/portal[\w-]*\.json$/

/** The files the worker caches: every file named by the build; translations are listed by language. */
export function kept(manifest: Record<string, Chunk>) {
  const files = new Set<string>()
  const words: Record<string, string[]> = {}
  for (const [key, { file, css = [], assets = [] }] of Object.entries(manifest)) {
    const language = LANGUAGE.exec(key)?.[1]
    if (language) words[language] = [...(words[language] ?? []), `/${file}`]
    else for (const one of [file, ...css, ...assets]) files.add(`/${one}`)
  }
  return { files: [...files], words }
}

/** Returns `web/app/update/worker.ts` as a classic script, because not every browser runs modules as workers. */
export const workerScript = async () => {
  const { code } = await transformWithOxc(readFileSync('web/app/update/worker.ts', 'utf8'), 'worker.ts')
  return code.replace(/^export \{\s*\};?$/m, '')
}

export async function writeWorker(folder: string) {
  const { files, words } = kept(JSON.parse(readFileSync(path.join(folder, '.vite', 'manifest.json'), 'utf8')))
  const build = readFileSync(path.join(folder, 'build.txt'), 'utf8').trim()
  const lists = { BUILD: build, FILES: files, WORDS: words }
  const text = Object.entries(lists).map(([name, value]) => `const ${name} = ${JSON.stringify(value)}`)
  writeFileSync(path.join(folder, 'worker.js'), `${text.join('\n')}\n${await workerScript()}`)
}

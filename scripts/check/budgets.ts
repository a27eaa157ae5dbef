import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Finding } from './finding.ts'

type Chunk = { file: string; imports?: string[]; isEntry?: boolean }
export type Manifest = Record<string, Chunk>
export type Page = { name: string; limit: number; chunks: RegExp[]; words: string[] }

/** What a page loads besides the entry: its screen, its layout, their imports, and the translations of one language. Limits in kB. */
const PAGES: Page[] = [
  { name: 'login', limit: 180, chunks: [/^sign-in\/login-screen\.tsx$/, /^layouts\/auth\w*(-layout)?\.tsx$/], words: ['portal'] },
  {
    name: 'map',
    limit: 270,
    chunks: [/^home\/home-screen\.tsx$/, /^layouts\/navigation(-layout)?\.tsx$/],
    words: ['portal', 'portal-inside', 'portal-shell'],
  },
]

const WORDS = /^\.\.\/locales\/(\w+)\/([\w-]+)\.json$/

const filesOf = (manifest: Manifest, keys: string[], seen = new Set<string>()): string[] => {
  for (const key of keys)
    if (!seen.has(key)) {
      seen.add(key)
      filesOf(manifest, manifest[key]?.imports ?? [], seen)
    }
  return [...new Set([...seen].flatMap((key) => manifest[key]?.file ?? []).filter((file) => file.endsWith('.js')))]
}

/** Returns the kB of compressed JavaScript that a browser loads for a page, in the language with the most. */
export const weigh = (manifest: Manifest, page: Page, sizeOf: (file: string) => number) => {
  const keys = Object.keys(manifest)
  const own = filesOf(
    manifest,
    keys.filter((key) => manifest[key]?.isEntry || page.chunks.some((chunk) => chunk.test(key))),
  )
  const spoken = keys.filter((key) => page.words.includes(WORDS.exec(key)?.[2] ?? ''))
  const languages = [...new Set(spoken.map((key) => WORDS.exec(key)?.[1]))].map((language) =>
    filesOf(
      manifest,
      spoken.filter((key) => WORDS.exec(key)?.[1] === language),
    ).filter((file) => !own.includes(file)),
  )
  const sum = (files: string[]) => files.reduce((bytes, file) => bytes + sizeOf(file), 0)
  return (sum(own) + Math.max(0, ...languages.map(sum))) / 1000
}

const pageProblems = (manifest: Manifest, page: Page, weight: number) => {
  const screen = page.chunks[0]
  if (!Object.keys(manifest).some((key) => screen?.test(key)))
    return [`no chunk ${screen} for the ${page.name} page: is its screen loaded lazily?`]
  return weight > page.limit ? [`the ${page.name} page needs ${weight.toFixed(1)} kB of JavaScript, at most ${page.limit} allowed`] : []
}

export const budgets = (folder: string): Finding => {
  const file = join(folder, '.vite', 'manifest.json')
  if (!existsSync(file)) return { looked: 0, problems: [`${file} is missing: build the portal with npm run build -- web`] }
  const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'))
  const weights = PAGES.map((page) => weigh(manifest, page, (name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length))
  return {
    looked: Object.keys(manifest).length,
    problems: PAGES.flatMap((page, index) => pageProblems(manifest, page, weights[index] ?? 0)),
    remark: PAGES.map((page, index) => `${page.name} ${weights[index]?.toFixed(1)}/${page.limit} kB`).join(', '),
  }
}

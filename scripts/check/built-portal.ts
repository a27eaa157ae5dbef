import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Files, selectFiles } from './files.ts'
import type { Finding } from './runner.ts'

type Chunk = { file: string; imports?: string[]; isEntry?: boolean }
export type Manifest = Record<string, Chunk>
export type Page = { name: string; limit: number; scripts: number; chunks: RegExp[]; texts: string[] }

/**
 * What a page loads in addition to the entry: the chunk of its group (vite.config.ts), its imports and the texts of one language. The budget
 * limits kB and the number of scripts, because on a slow connection every script delays the page.
 */
const PAGES: Page[] = [
  { name: 'login', limit: 180, scripts: 4, chunks: [/^_login-/], texts: ['portal'] },
  { name: 'map', limit: 286, scripts: 6, chunks: [/^_home-/], texts: ['portal', 'portal-inside'] },
]

/** kB of the document of every page: it comes before anything else can be requested. Its script may have no library in it. */
const DOCUMENT_LIMIT = 6

const TEXTS = /^\.\.\/locales\/(?<language>\w+)\/(?<name>[\w-]+)\.json$/
const textsOf = (key: string) => TEXTS.exec(key)?.groups ?? {}

const collectScripts = (manifest: Manifest, keys: string[], seen = new Set<string>()): string[] => {
  for (const key of keys)
    if (!seen.has(key)) {
      seen.add(key)
      collectScripts(manifest, manifest[key]?.imports ?? [], seen)
    }
  return [...new Set([...seen].flatMap((key) => manifest[key]?.file ?? []).filter((file) => file.endsWith('.js')))]
}

/** Returns the kB of compressed JavaScript and the number of scripts that a browser loads for a page, in the language with the most. */
export const pageWeight = (manifest: Manifest, page: Page, sizeOf: (file: string) => number) => {
  const keys = Object.keys(manifest)
  const own = collectScripts(
    manifest,
    keys.filter((key) => manifest[key]?.isEntry || page.chunks.some((chunk) => chunk.test(key))),
  )
  const texts = keys.filter((key) => page.texts.includes(textsOf(key).name ?? ''))
  const languages = [...new Set(texts.map((key) => textsOf(key).language))].map((language) =>
    collectScripts(
      manifest,
      texts.filter((key) => textsOf(key).language === language),
    ).filter((file) => !own.includes(file)),
  )
  const sum = (files: string[]) => files.reduce((bytes, file) => bytes + sizeOf(file), 0)
  return {
    kilobytes: (sum(own) + Math.max(0, ...languages.map(sum))) / 1000,
    needed: own.length + Math.max(0, ...languages.map(({ length }) => length)),
  }
}

/** Lists files that a page names but the build lacks, because an incomplete page would weigh too little. */
const findMissingChunks = (manifest: Manifest, { name, chunks, texts }: Page) => {
  const keys = Object.keys(manifest)
  return [
    ...chunks
      .filter((chunk) => !keys.some((key) => chunk.test(key)))
      .map((chunk) => `no chunk ${chunk} for the ${name} page: was its group in vite.config.ts renamed?`),
    ...texts
      .filter((text) => !keys.some((key) => textsOf(key).name === text))
      .map((text) => `no chunk of locales/*/${text}.json for the ${name} page: was the file renamed?`),
  ]
}

export const checkBudgets = (folder: string): Finding => {
  const file = join(folder, '.vite', 'manifest.json')
  if (!existsSync(file)) return { fileCount: 0, problems: [`${file} is missing: build the portal with npm run build -- web`] }
  const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'))
  const sizeOf = (name: string) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length
  const pages = PAGES.map((page) => ({ ...page, ...pageWeight(manifest, page, sizeOf) }))
  const document = sizeOf('index.html') / 1000
  const heavy = document > DOCUMENT_LIMIT ? [`index.html has ${document.toFixed(1)} kB, at most ${DOCUMENT_LIMIT} allowed`] : []
  return {
    fileCount: Object.keys(manifest).length,
    problems: heavy.concat(
      pages.flatMap((page) => {
        const missing = findMissingChunks(manifest, page)
        if (missing.length > 0) return missing
        const { name, kilobytes, limit, needed, scripts } = page
        return [
          ...(kilobytes > limit ? [`the ${name} page needs ${kilobytes.toFixed(1)} kB of JavaScript, at most ${limit} allowed`] : []),
          ...(needed > scripts ? [`the ${name} page needs ${needed} scripts, at most ${scripts} allowed`] : []),
        ]
      }),
    ),
    remark: `document ${document.toFixed(1)}/${DOCUMENT_LIMIT} kB, ${pages
      .map(({ name, kilobytes, limit, needed, scripts }) => `${name} ${kilobytes.toFixed(1)}/${limit} kB in ${needed}/${scripts} scripts`)
      .join(', ')}`,
  }
}

/** Hosts that occur in the build in names, developer messages or links; nothing is loaded from them. */
const NAMED_HOSTS: Record<string, string> = {
  'www.w3.org': 'XML namespaces',
  'react.dev': 'error messages of React',
  'reactrouter.com': 'error messages of the router',
  'mantine.dev': 'error messages of Mantine',
  'help.mantine.dev': 'error messages of Mantine',
  'www.i18next.com': 'error messages of i18next',
  'react.i18next.com': 'error messages of react-i18next',
  'github.com': 'comments and error messages of libraries',
  'simplewebauthn.dev': 'error messages of the passkey library',
  'json-schema.org': 'names of schema dialects',
  'js.stripe.com': 'loaded only for a backend whose payment sessions have no address',
  'leafletjs.com': 'link under the map',
  'www.openstreetmap.org': 'link to the licence under the map',
  'apps.apple.com': 'link to the store for users without the app',
  'play.google.com': 'link to the store for users without the app',
  'maps.apple.com': 'directions to a tracker on a device of Apple',
  'www.google.com': 'directions to a tracker in any other browser',
  'checkout.stripe.com': 'payment page that a checkout may open',
  'invoice.stripe.com': 'payment page of an unpaid invoice',
  'billing.stripe.com': 'page on which users manage their cards',
  'ntfy.sh': 'an example of an address that users type',
  localhost: 'base for parsing relative URLs',
}

const URL_TEXT = /https?:\/\/([\w.-]+)/g

/** Names under `.invalid` and `.example` are reserved and belong to nobody. */
const isKnown = (host: string) => host in NAMED_HOSTS || /\.(invalid|example)$/.test(host)

const findUnknownHosts = (path: string, text: string) =>
  [...new Set([...text.matchAll(URL_TEXT)].map((match) => match[1] ?? ''))]
    .filter((host) => !isKnown(host))
    .map((host) => `${path} names the host ${host}: serve the file ourselves, or explain the name in scripts/check/built-portal.ts`)

const FOREIGN_LOAD = /(?:\bsrc|\bhref)=["'](?:https?:)?\/\/[^"']+|url\(["']?(?:https?:)?\/\/[^)"']+|@import ["'](?:https?:)?\/\/[^"']+/g

const findForeignLoads = (path: string, text: string) =>
  [...text.matchAll(FOREIGN_LOAD)].map((match) => `${path} loads from another host: ${match[0].slice(0, 80)}`)

export const checkHosts = (built: Files): Finding => {
  const scripts = selectFiles(built, (path) => path.endsWith('.js'))
  const pages = selectFiles(built, (path) => /\.(html|css)$/.test(path))
  return {
    fileCount: scripts.length + pages.length,
    problems: [
      ...scripts.flatMap(([path, text]) => findUnknownHosts(path, text)),
      ...pages.flatMap(([path, text]) => findForeignLoads(path, text)),
    ],
  }
}

export const readBuiltFiles = (folder: string): Files =>
  new Map(
    (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [])
      .filter((path) => /\.(js|css|html)$/.test(path))
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  )

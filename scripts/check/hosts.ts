import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Files, type Finding, pick } from './finding.ts'

/** Hosts that occur in the build as names, in developer messages or as links; nothing is loaded from them. */
const NAMED_ONLY: Record<string, string> = {
  'www.w3.org': 'XML namespaces',
  'react.dev': 'error messages of React',
  'reactrouter.com': 'error messages of the router',
  'mantine.dev': 'error messages of Mantine',
  'help.mantine.dev': 'error messages of Mantine',
  'www.i18next.com': 'error messages of i18next',
  'react.i18next.com': 'error messages of react-i18next',
  'github.com': 'comments and error messages of libraries',
  'json-schema.org': 'names of schema dialects',
  'leafletjs.com': 'link under the map',
  'www.openstreetmap.org': 'link to the licence under the map',
  'apps.apple.com': 'link to the store for whoever lacks the app',
  'play.google.com': 'link to the store for whoever lacks the app',
  'checkout.stripe.com': 'the other origin to which a payment may lead',
  'invoice.stripe.com': 'the other origin to which paying a refused invoice may lead',
  'billing.stripe.com': 'the other origin to which the way to the cards may lead',
  localhost: 'base for parsing relative addresses',
}

const URL_TEXT = /https?:\/\/([\w.-]+)/g

/** Names under `.invalid` and `.example` are reserved and belong to no one. */
const isKnown = (host: string) => host in NAMED_ONLY || /\.(invalid|example)$/.test(host)

const strangers = (path: string, text: string) =>
  [...new Set([...text.matchAll(URL_TEXT)].map((match) => match[1] ?? ''))]
    .filter((host) => !isKnown(host))
    .map((host) => `${path} names the host ${host}: serve it ourselves, or explain the name in scripts/check/hosts.ts`)

const LOADED = /(?:\bsrc|\bhref)=["'](?:https?:)?\/\/[^"']+|url\(["']?(?:https?:)?\/\/[^)"']+|@import ["'](?:https?:)?\/\/[^"']+/g

const loads = (path: string, text: string) =>
  [...text.matchAll(LOADED)].map((match) => `${path} loads from another host: ${match[0].slice(0, 80)}`)

/** Checks that the built portal loads nothing from another origin. */
export const hosts = (built: Files): Finding => {
  const scripts = pick(built, (path) => path.endsWith('.js'))
  const pages = pick(built, (path) => /\.(html|css)$/.test(path))
  return {
    looked: scripts.length + pages.length,
    problems: [...scripts.flatMap(([path, text]) => strangers(path, text)), ...pages.flatMap(([path, text]) => loads(path, text))],
  }
}

export const builtFiles = (folder: string): Files =>
  new Map(
    (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [])
      .filter((path) => /\.(js|css|html)$/.test(path))
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  )

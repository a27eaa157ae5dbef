import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import swagger from '@fastify/swagger'
import swaggerUi, { type FastifySwaggerUiOptions } from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { findProgramFile } from '#db/program-files.ts'
import { buildOpenApi } from './openapi.ts'

/** Allows only this server, and no TLS upgrade, so that the page works in a local network. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Folder of the page's scripts and styles in the build; without it they are served from their package. */
const BUILT_FILES = findProgramFile('dist/server/swagger-ui')
const findFiles = () =>
  existsSync(BUILT_FILES) ? BUILT_FILES : path.join(path.dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static')

type Demo = { password: string; accounts: string[] }
export type ApiReference = Pick<ReturnType<typeof buildOpenApi>, 'info'>
/** `document` contains recorded examples; the default is generated from the contract table alone. */
type Docs = { document?: ApiReference | undefined; demo?: Demo | undefined }

let generated: ApiReference | undefined
/** Generated once per process: tests start hundreds of servers. */
const getGenerated = () => {
  generated ??= buildOpenApi()
  return generated
}

export async function registerDocs(app: FastifyInstance, { document = getGenerated(), demo }: Docs) {
  const described = demo
    ? { ...document, info: { ...document.info, description: document.info.description + formatSignInHint(demo) } }
    : document
  await registerReferencePage(app, '/docs', described)
}

/** Serves an OpenAPI document as a Swagger page; register each page in its own Fastify scope. */
export async function registerReferencePage(app: FastifyInstance, routePrefix: string, document: ApiReference) {
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix,
    baseDir: findFiles(),
    // The page hides the bar that would contain the link.
    logo: { type: 'image/svg+xml', content: '' },
    staticCSP: POLICY,
    theme: { title: document.info.title, css: [{ filename: 'whereabouts.css', content: '.swagger-ui .topbar { display: none }' }] },
    uiConfig: {
      tryItOutEnabled: true,
      docExpansion: 'list',
      filter: true,
      displayRequestDuration: true,
      plugins: [downloadUrl, resolveReferences],
    } as FastifySwaggerUiOptions['uiConfig'],
  })
}

const formatSignInHint = ({ password, accounts }: Demo) => `

**To try the calls:** execute \`POST /api/v1/auth/web_get_token/\` as it stands, copy the \`token\` of the answer, press **Authorize** and
paste it under *bearer*. All of the demo's people have the password \`${password}\`:
${accounts.map((account) => `\`${account}\``).join(', ')}.`

// The page runs the text of these two functions, so they use nothing else of this module, and no names that a compiler would wrap.

/** The page's own plugin for loading the document; `plugins` replaces the list that names it. */
function downloadUrl(system: unknown) {
  // @ts-expect-error -- a global of the page
  return SwaggerUIBundle.plugins.DownloadUrl(system)
}

type Json = { [key: string]: Json }

/**
 * Replaces references by what they name. The page's own resolver reads a whole OpenAPI 3.1 document again for every operation that is
 * opened, which takes seconds for hundreds of operations. These documents refer only to themselves.
 */
export function resolveReferences() {
  const references = {
    find: (document: Json, path: string[]) => path.reduce<Json | undefined>((value, key) => value?.[key], document),
    resolve: (document: Json, value: Json | undefined, within: string[]): unknown => {
      if (typeof value !== 'object' || value === null) return value
      if (Array.isArray(value)) return value.map((item) => references.resolve(document, item, within))
      const { $ref: reference, ...rest } = value as Json & { $ref?: unknown }
      const own = Object.entries(rest).map(([key, item]) => [key, references.resolve(document, item, within)])
      if (typeof reference !== 'string') return Object.fromEntries(own)
      if (within.includes(reference)) return value
      const named = references.find(document, reference.split('/').slice(1))
      return { ...(references.resolve(document, named, [...within, reference]) as object), ...Object.fromEntries(own) }
    },
  }
  return {
    fn: {
      resolveSubtree: async (document: Json, path: string[]) => ({
        spec: references.resolve(document, references.find(document, path), []),
        errors: [],
      }),
    },
  }
}

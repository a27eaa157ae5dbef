import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import swagger from '@fastify/swagger'
import swaggerUi, { type FastifySwaggerUiOptions } from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { findProgramFile } from '#db/program-files.ts'
import { buildOpenApi } from './openapi.ts'
import { downloadUrl, resolveReferences } from './page-plugins.ts'

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

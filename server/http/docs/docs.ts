import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { openapi } from './openapi.ts'

/** The page asks nobody but this server, and works without TLS in a local network. */
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

type Demo = { password: string; accounts: string[] }
/** An OpenAPI document; here only its own description matters. */
export type Reference = Pick<ReturnType<typeof openapi>, 'info'>
/** Without a document the table speaks for itself, without examples. */
type Docs = { document?: Reference | undefined; demo?: Demo | undefined }

/** The API reference, to read and to try, at `/docs`; the document itself at `/docs/json`. */
export async function docs(app: FastifyInstance, { document = openapi(), demo }: Docs) {
  const described = demo ? { ...document, info: { ...document.info, description: document.info.description + wayIn(demo) } } : document
  await referencePage(app, '/docs', described)
}

/** An OpenAPI document as a page to read and to try; one for each scope of the server. */
export async function referencePage(app: FastifyInstance, routePrefix: string, document: Reference) {
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix,
    staticCSP: POLICY,
    theme: { title: document.info.title, css: [{ filename: 'whereabouts.css', content: '.swagger-ui .topbar { display: none }' }] },
    uiConfig: { persistAuthorization: true, tryItOutEnabled: true, docExpansion: 'list', filter: true, displayRequestDuration: true },
  })
}

/** How a visitor of the demo comes by a token. */
const wayIn = ({ password, accounts }: Demo) => `

**To try the calls:** execute \`POST /api/v1/auth/web_get_token/\` as it stands, copy the \`token\` of the answer, press **Authorize** and
paste it under *bearer*. All of the demo's people have the password \`${password}\`:
${accounts.map((account) => `\`${account}\``).join(', ')}.`

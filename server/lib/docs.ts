import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { openapi } from './openapi.ts'

/** The API reference, to read and to try, at `/docs`; the document itself at `/docs/json`. */
export async function docs(app: FastifyInstance) {
  await app.register(swagger, { mode: 'static', specification: { document: openapi() as never } })
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true })
}

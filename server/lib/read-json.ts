import type { FastifyInstance } from 'fastify'

/** Many clients call an empty body JSON; that is no body, and not a mistake in one (E-10). */
export function readJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) =>
    text === '' ? done(null, undefined) : parse(request, String(text), done),
  )
}

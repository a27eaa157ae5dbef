import type { FastifyInstance } from 'fastify'
import { Failure } from '#server/lib/errors.ts'

/** Deepest nesting of a JSON body. No endpoint needs that much, and far deeper bodies overflow the stack of code that walks them. */
const MAX_NESTING = 100

/** Parses JSON bodies; an empty body with a JSON content type counts as no body, because many clients send that. */
export function registerJsonParser(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) =>
    text === ''
      ? done(null, undefined)
      : parse(request, String(text), (error, body) => done(error ?? (isTooDeep(body) ? new Failure('malformed_json') : null), body)),
  )
}

function isTooDeep(body: unknown) {
  let level = [body]
  for (let depth = 0; depth <= MAX_NESTING; depth++) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
    if (level.length === 0) return false
  }
  return true
}

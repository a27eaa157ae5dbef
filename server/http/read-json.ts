import type { FastifyInstance } from 'fastify'
import { Failure } from '#server/lib/errors.ts'

/** Lists and objects within each other: no call of ours takes as many, and far more exhaust the stack of whoever walks them. */
const MOST_LEVELS = 100

/** Many clients call an empty body JSON; that is no body, and not a mistake in one (E-10). */
export function readJson(app: FastifyInstance) {
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
  for (let depth = 0; depth <= MOST_LEVELS; depth++) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
    if (level.length === 0) return false
  }
  return true
}

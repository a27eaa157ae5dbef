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
      : parse(request, String(text), (error, body) =>
          done(error ?? (isDeeper(body, MAX_NESTING) ? new Failure('malformed_json') : null), body),
        ),
  )
}

/** Whether values lie deeper in a value than so many levels. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  for (const each of Array.isArray(value) ? value : Object.values(value)) if (levels === 0 || isDeeper(each, levels - 1)) return true
  return false
}

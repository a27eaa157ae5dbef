import type { FastifyInstance } from 'fastify'
import { Failure } from '#server/lib/errors.ts'

/** Deepest nesting of a JSON body. No endpoint needs that much, and far deeper bodies overflow the stack of recursive code. */
const MAX_NESTING = 100

/** Parses JSON bodies and rejects plain text; an empty body of these types counts as no body, because many clients send one. */
export function registerJsonParser(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    if (text === '') return done(null, undefined)
    const body = mayNamePrototype(text) ? undefined : parseOrUndefined(text)
    if (body !== undefined) return finish(done, body)
    parse(request, text, (error, parsed) => (error ? done(error, undefined) : finish(done, parsed)))
  })
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_, text: string, done) =>
    done(text === '' ? null : new Failure('unsupported_media_type'), undefined),
  )
}

type Done = (error: Error | null, body?: unknown) => void

const finish = (done: Done, body: unknown) => done(isDeeper(body, MAX_NESTING) ? new Failure('malformed_json') : null, body)

/**
 * Fastify's parser searches each body with two expressions that take longer than parsing it. An escape sequence could hide such a name from
 * this check.
 */
const mayNamePrototype = (text: string) => text.includes('\\') || text.includes('"__proto__"') || text.includes('"constructor"')

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a value is nested deeper than `levels`. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  const inner = levels - 1
  if (Array.isArray(value)) return levels === 0 ? value.length > 0 : value.some((each) => isDeeper(each, inner))
  for (const name in value) if (levels === 0 || isDeeper(value[name as keyof typeof value], inner)) return true
  return false
}

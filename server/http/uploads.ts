import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type findUpload, UPLOAD_FIELD } from '#contracts/lib/route.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'

type Upload = NonNullable<ReturnType<typeof findUpload>>

/** Registers a route that accepts a file as a form or raw body, and no JSON. Only this route parses forms and files. */
export const registerUploadRoute = ({ contentType }: Upload, app: FastifyInstance, register: (app: FastifyInstance) => void) =>
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(contentType, (_, payload, done) => done(null, payload))
    await scope.register(multipart)
    register(scope)
  })

/** Streams the bytes of the uploaded file. Throws `too_large` at the limit, with or without an announced length. */
export async function* streamUpload(request: FastifyRequest, { maxBytes }: Upload): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    const file = await findFile(request, maxBytes)
    if (!file) throw invalidField(UPLOAD_FIELD, 'Required')
    for await (const chunk of file.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > maxBytes) throw new Failure('too_large')
      yield chunk
    }
  } catch (error) {
    // All other errors here are caused by the client: a truncated form, or a body that is not a form.
    throw error instanceof Failure ? error : invalidField(UPLOAD_FIELD, 'Not readable')
  } finally {
    // Drains the rest of the request; otherwise the client could not read the response.
    request.raw.unpipe()
    request.raw.resume()
  }
}

/** One byte above the limit is enough to detect a file that is too large. */
const multipartLimits = (maxBytes: number) => ({ files: 1, fileSize: maxBytes + 1, fields: 10, fieldSize: 1024, parts: 11 })

async function findFile(request: FastifyRequest, maxBytes: number) {
  if (!request.isMultipart()) return request.headers['content-type'] === undefined ? undefined : request.raw
  const options = { limits: multipartLimits(maxBytes), throwFileSizeLimit: false }
  for await (const part of request.parts(options)) {
    if (part.type === 'file' && part.fieldname === UPLOAD_FIELD) return part.file
    if (part.type === 'file') part.file.resume()
  }
}

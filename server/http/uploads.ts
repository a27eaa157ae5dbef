import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { UPLOAD_FIELD, type uploadOf } from '#contracts/lib/route.ts'
import { Failure, invalid } from '#server/lib/errors.ts'

type Upload = NonNullable<ReturnType<typeof uploadOf>>

/** Registers a call that takes a file: it, and no other, reads forms and files, and no JSON. */
export const withUploads = ({ contentType }: Upload, app: FastifyInstance, register: (app: FastifyInstance) => void) =>
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(contentType, (_, payload, done) => done(null, payload))
    await scope.register(multipart)
    register(scope)
  })

/** The bytes of the file a request carries, as they come in. Throws `too_large` once there are too many, announced or not. */
export async function* bytesOf(request: FastifyRequest, { maxBytes }: Upload): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    const file = await fileOf(request, maxBytes)
    if (!file) throw invalid(UPLOAD_FIELD, 'Required')
    for await (const chunk of file.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > maxBytes) throw new Failure('too_large')
      yield chunk
    }
  } catch (error) {
    // Whatever else can fail here is the sender's doing: a form cut off, or no form at all.
    throw error instanceof Failure ? error : invalid(UPLOAD_FIELD, 'Not readable')
  } finally {
    // Nobody reads the rest. Left standing, it would keep the sender from reading the answer.
    request.raw.unpipe()
    request.raw.resume()
  }
}

/** One byte more than is allowed tells that there are too many. */
const limitsOf = (maxBytes: number) => ({ files: 1, fileSize: maxBytes + 1, fields: 10, fieldSize: 1024, parts: 11 })

async function fileOf(request: FastifyRequest, maxBytes: number) {
  if (!request.isMultipart()) return request.headers['content-type'] === undefined ? undefined : request.raw
  const options = { limits: limitsOf(maxBytes), throwFileSizeLimit: false }
  for await (const part of request.parts(options)) {
    if (part.type === 'file' && part.fieldname === UPLOAD_FIELD) return part.file
    if (part.type === 'file') part.file.resume()
  }
}

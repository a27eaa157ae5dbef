import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addVary } from './compress.ts'

/** Weak, because it is the same for the plain and the compressed form of a response. */
export const formatEtag = (hash: string) => `W/"${hash}"`

export const computeEtag = (content: string | Buffer) => formatEtag(createHash('sha1').update(content).digest('base64url'))

/** Sets the ETag, and sends 304 when `known`, the client's `If-None-Match`, contains it. Returns whether it was sent. */
export function sendNotModified(reply: FastifyReply, etag: string, known: FastifyRequest['headers']['if-none-match']) {
  addVary(reply.header('etag', etag))
  if (!matchesEtag(known, etag)) return false
  reply.code(304).send()
  return true
}

/** Whether an `If-None-Match` contains the ETag, compared weakly: caches may change the strength of an ETag. */
export const matchesEtag = (known: string | undefined, etag: string) =>
  known !== undefined && (known === etag || known.split(',').some((one) => one.trim() === '*' || getHash(one) === getHash(etag)))

const getHash = (etag: string) => etag.trim().replace(/^W\//, '')

import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { editJson } from './edit.ts'
import type { Fault } from './faults.ts'

type Answer = { request: FastifyRequest; reply: FastifyReply; body: unknown }

const PIECES = 10

/** Applies a fault to the body of a response. Streams and empty responses are left unchanged. */
export function distortBody(fault: Fault, { request, reply, body }: Answer): unknown {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return body
  if (fault.effect === 'empty') return ''
  if (fault.effect === 'malformed') return truncate(Buffer.from(body))
  if (fault.effect === 'slow') return Readable.from(sendSlowly(Buffer.from(body), fault.ms))
  if (fault.effect === 'mutate' && isJson(reply)) return editJson(String(body), fault)
  if (fault.effect === 'stale' && request.method === 'GET' && reply.statusCode === 200)
    return getFirstResponse(fault, request, String(body))
  return body
}

const truncate = (body: Buffer) => body.subarray(0, body.length >> 1)

const isJson = (reply: FastifyReply) => String(reply.getHeader('content-type')).includes('json')

async function* sendSlowly(body: Buffer, ms: number) {
  const size = Math.max(1, Math.ceil(body.length / PIECES))
  for (let from = 0; from < body.length; from += size) {
    await pause(ms / PIECES, undefined, { ref: false })
    yield body.subarray(from, from + size)
  }
}

function getFirstResponse({ kept }: Fault, { url, headers, cookies }: FastifyRequest, body: string) {
  const key = `${url} ${headers.authorization ?? cookies.sessionid ?? ''}`
  const first = kept.get(key) ?? body
  kept.set(key, first)
  return first
}

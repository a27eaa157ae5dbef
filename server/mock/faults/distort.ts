import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { edit } from './edit.ts'
import type { Fault } from './faults.ts'

type Answer = { request: FastifyRequest; reply: FastifyReply; body: unknown }

const PIECES = 10

/** Applies a fault to the body of a response. Streams and empty responses are left unchanged. */
export function distort(fault: Fault, { request, reply, body }: Answer): unknown {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return body
  if (fault.effect === 'empty') return ''
  if (fault.effect === 'malformed') return half(Buffer.from(body))
  if (fault.effect === 'slow') return Readable.from(drip(Buffer.from(body), fault.ms))
  if (fault.effect === 'mutate' && isJson(reply)) return edit(String(body), fault)
  if (fault.effect === 'stale' && request.method === 'GET' && reply.statusCode === 200) return firstOf(fault, request, String(body))
  return body
}

const half = (body: Buffer) => body.subarray(0, body.length >> 1)

const isJson = (reply: FastifyReply) => String(reply.getHeader('content-type')).includes('json')

async function* drip(body: Buffer, ms: number) {
  const size = Math.max(1, Math.ceil(body.length / PIECES))
  for (let from = 0; from < body.length; from += size) {
    await pause(ms / PIECES, undefined, { ref: false })
    yield body.subarray(from, from + size)
  }
}

function firstOf({ kept }: Fault, { url, headers, cookies }: FastifyRequest, body: string) {
  const key = `${url} ${headers.authorization ?? cookies.sessionid ?? ''}`
  const first = kept.get(key) ?? body
  kept.set(key, first)
  return first
}

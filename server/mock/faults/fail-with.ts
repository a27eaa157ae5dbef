import { STATUS_CODES } from 'node:http'
import type { FastifyReply } from 'fastify'
import { type ErrorCode, errors } from '#contracts/errors.ts'
import { bodyOf } from '#server/lib/errors.ts'
import type { Fault } from './faults.ts'

type Failing = Extract<Fault, { effect: 'status' }>

/** The code that stands for a status where none is named. */
const usual: Partial<Record<number, ErrorCode>> = {
  400: 'validation_error',
  401: 'not_authenticated',
  403: 'permission_denied',
  404: 'not_found',
  410: 'expired',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'throttled',
  500: 'server_error',
  503: 'unavailable',
}

/** Answers a failure in the shape of ours; a status that we know no code for comes as the page of some proxy. */
export function failWith({ status, code = usual[status], body, headers = {} }: Failing, reply: FastifyReply) {
  const said = body ?? (code && errors[code] ? bodyOf(code) : proxyPage(status))
  const isText = typeof said === 'string'
  reply
    .code(status)
    .headers(headers)
    .type(isText ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8')
    .send(isText ? said : JSON.stringify(said))
}

const proxyPage = (status: number) =>
  `<html><head><title>${status}</title></head><body><h1>${status} ${STATUS_CODES[status] ?? ''}</h1></body></html>\n`

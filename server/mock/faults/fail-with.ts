import { STATUS_CODES } from 'node:http'
import type { FastifyReply } from 'fastify'
import { codeOfStatus, errors } from '#contracts/lib/errors.ts'
import { bodyOf } from '#server/lib/errors.ts'
import type { Fault } from './faults.ts'

type StatusFault = Extract<Fault, { effect: 'status' }>

/** Sends an error in the API's format; a status without an error code is sent as a proxy's HTML page. */
export function sendFailure({ status, code = codeOfStatus[status], body, headers = {} }: StatusFault, reply: FastifyReply) {
  const said = body ?? (code && errors[code] ? bodyOf(code) : renderProxyPage(status))
  const isText = typeof said === 'string'
  reply
    .code(status)
    .headers(headers)
    .type(isText ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8')
    .send(isText ? said : JSON.stringify(said))
}

const renderProxyPage = (status: number) =>
  `<html><head><title>${status}</title></head><body><h1>${status} ${STATUS_CODES[status] ?? ''}</h1></body></html>\n`

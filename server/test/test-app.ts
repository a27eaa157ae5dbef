import { pino } from 'pino'
import request from 'supertest'
import type { Contract } from '#contracts/lib/route.ts'
import type { AppOptions } from '#server/app.ts'
import { type Handlers, serve } from '#server/http/serve.ts'
import { startPortal } from './start-portal.ts'

/** The whole server with additional endpoints, to test how any endpoint behaves; `http()` sends requests over a socket. */
export const startWith = <C extends Contract>(contract: C, handlers: Handlers<C>, options: Partial<AppOptions> = {}) =>
  startHttp({ extend: async (app) => serve(app, contract, handlers), ...options })

/** The whole server for requests over a socket, without the routes of the mock server unless `app.extend` adds them. */
export async function startHttp(app: Partial<AppOptions> = {}) {
  const portal = await startPortal({ app: { extend: async () => {}, ...app } })
  return { ...portal, http: () => request(portal.app.server), [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

/** A logger, and its entries: level, message and the message of the error. */
export function createTestLog() {
  const told: { level: number; msg: string; err?: { message: string } }[] = []
  return { told, logger: pino({ level: 'info' }, { write: (line: string) => void told.push(JSON.parse(line)) }) }
}

import { pino } from 'pino'
import request from 'supertest'
import type { Contract } from '#contracts/lib/route.ts'
import type { AppOptions } from '#server/app.ts'
import { type Handlers, serve } from '#server/http/serve.ts'
import { startPortal } from './start-portal.ts'

/** The whole server with a few calls more, to show how any call behaves; `http()` speaks to it over a socket. */
export const startWith = <C extends Contract>(contract: C, handlers: Handlers<C>, options: Partial<AppOptions> = {}) =>
  startHttp({ extend: async (app) => serve(app, contract, handlers), ...options })

/** The whole server, spoken to over a socket; without the parts of the mock unless they are asked for. */
export async function startHttp(app: Partial<AppOptions> = {}) {
  const portal = await startPortal({ app: { extend: async () => {}, ...app } })
  return { ...portal, http: () => request(portal.app.server), [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

/** A log, and what it was told: level, message and the message of the error. */
export function listeningLog() {
  const told: { level: number; msg: string; err?: { message: string } }[] = []
  return { told, logger: pino({ level: 'info' }, { write: (line: string) => void told.push(JSON.parse(line)) }) }
}

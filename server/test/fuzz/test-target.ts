import { setTimeout } from 'node:timers/promises'
import { findContentType, getSuccess } from '#contracts/lib/route.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import type { NamedEndpoint } from '#server/test/examples/all.ts'
import { authHeaders, sendExample } from '#server/test/examples/send-example.ts'
import { startPortal } from '#server/test/start-portal.ts'
import type { FuzzRequest } from './test-requests.ts'

export type FuzzResponse = { status: number; type: string; body: string; ms: number }

/** Processor time that a response may take. */
export const MAX_CPU_MS = 5000
const HANGING_MS = 60_000

export async function startTarget() {
  const portal = await startPortal({ limits: { credentials: false }, noted: false })
  let count = 0
  let world = portal.world
  let tokens = new Map<string, string>()
  const hasEnded = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'x-world': world.id }
    return (await portal.app.inject({ url: '/options/', headers })).statusCode === 401
  }
  /** Creates a fresh world in which the requests that the example depends on have been sent, in the session used afterwards. */
  async function renew({ example }: NamedEndpoint) {
    world = await portal.worlds.create({ id: `f${count++}`, seed: 1 })
    tokens = new Map()
    const signIn = async (key: string) => {
      const known = tokens.get(key)
      if (known && !(await hasEnded(known))) return known
      const token = await signInAs(world, getPersona(key).email)
      tokens.set(key, token)
      return token
    }
    for (const earlier of example.after ?? []) await sendExample(portal.app, earlier, signIn, { 'x-world': world.id })
    for (const key of ['alice', 'dario', 'admin', example.as ?? 'alice']) await signIn(key)
  }
  return {
    renew,
    world: () => world,
    async shoot({ route }: NamedEndpoint, { path, headers, payload, as }: FuzzRequest): Promise<FuzzResponse> {
      const isStream = findContentType(getSuccess(route).schema) === 'text/event-stream'
      const begin = process.cpuUsage()
      const asked = portal.app.inject({
        method: route.method,
        url: path,
        headers: { ...authHeaders(route, as && tokens.get(as)!), ...headers, 'x-world': world.id },
        payloadAsStream: isStream,
        ...(payload !== undefined && { payload }),
      })
      const answer = await Promise.race([asked, setTimeout(HANGING_MS, null, { ref: false })])
      if (!answer) throw new Error(`no answer within ${HANGING_MS} ms`)
      const body = isStream && answer.statusCode === 200 ? '' : isStream ? await readText(answer.stream()) : answer.body
      if (isStream) answer.stream().destroy()
      const { user, system } = process.cpuUsage(begin)
      return { status: answer.statusCode, type: String(answer.headers['content-type'] ?? ''), body, ms: (user + system) / 1000 }
    },
    /** Whether the session has ended, by deletion of the account or a new password. */
    isSignedOut: async (as: FuzzRequest['as']) => Boolean(as) && hasEnded(tokens.get(as!)!),
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
  }
}

async function readText(stream: AsyncIterable<Buffer>) {
  let text = ''
  for await (const piece of stream) text += String(piece)
  return text
}

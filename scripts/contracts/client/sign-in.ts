import { type Backend, createBackend } from './backend.ts'
import { CannotRun } from './cannot-run.ts'
import type { Options } from './check-flags.ts'
import { callNamed } from './contracts.calls.ts'
import { codeOf } from './judge.ts'
import type { Viewer } from './run.ts'
import { type Answer, type Send, Unreachable } from './send.ts'

type Signed = { backend: Backend; viewer: Viewer | null /** Response to the sign-in form, if it was used. */; form: Answer | undefined }

/** Signs in, or throws `CannotRun` with the reason. */
export async function signIn({ base, as }: Pick<Options, 'base' | 'as'>, send: Send): Promise<Signed> {
  const stranger = createBackend(base, send)
  try {
    if (!as) {
      await stranger.read('sessions.options')
      return { backend: stranger, viewer: null, form: undefined }
    }
    const form =
      'token' in as ? undefined : await stranger.ask(callNamed('sessions.signIn'), { body: { username: as.email, password: as.password } })
    const backend = createBackend(base, send, 'token' in as ? as.token : tokenOf(form!, as.email))
    return { backend, viewer: await viewerOf(backend, 'token' in as ? null : as.email), form }
  } catch (error) {
    if (error instanceof Unreachable) throw new CannotRun(`${base} can't be reached: ${error.message}`)
    throw error
  }
}

function tokenOf(answer: Answer, email: string): string {
  const { status, headers, body } = answer
  const token = typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined
  if (typeof token === 'string' && token !== '') return token
  const to = headers.get('location')
  throw new CannotRun(
    `${email} could not sign in: ${[status, codeOf(answer) || (to ? `to ${to}, which loses the body` : 'without a token')].join(' ')}`,
  )
}

async function viewerOf(backend: Backend, email: string | null): Promise<Viewer> {
  const [me, options] = [await backend.read('users.me'), await backend.read('sessions.options')]
  if (me.status === 401) throw new CannotRun(`The token is refused: ${[me.status, codeOf(me)].join(' ').trim()}`)
  return { email: text(me.body, 'email') ?? email, role: text(me.body, 'role') ?? text(options.body, 'role') }
}

function text(body: unknown, field: string): string | null {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : null
  return typeof value === 'string' ? value : null
}

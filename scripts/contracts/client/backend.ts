import { addressOf, type CallInput } from '#contracts/lib/client.ts'
import { type Call, callNamed } from './endpoints.ts'
import type { Options } from './flags.ts'
import { CannotRun } from './io.ts'
import { codeOf } from './judge.ts'
import type { Viewer } from './run.ts'
import { type Answer, type Send, Unreachable } from './send.ts'

export type Row = Record<string, unknown>

type How = {
  /** Overrides the token of the signed-in user; null sends none. */
  token?: string | null
  headers?: Record<string, string>
  /** A body that is not JSON. */
  raw?: string
}

/** A server that claims to implement the contract, with the signed-in user's token. */
export type Backend = {
  base: string
  token: string | null
  ask(call: Call, input?: CallInput, how?: How): Promise<Answer>
  /** Response to a request without input; sent once and cached. */
  read(name: string): Promise<Answer>
  /** Rows of a list; empty if the backend is unreachable. */
  rows(name: string, input?: CallInput): Promise<Row[]>
}

export function createBackend(base: string, send: Send, token: string | null = null): Backend {
  const read = new Map<string, Promise<Answer>>()
  const ask: Backend['ask'] = ({ route: { method, path } }, input = {}, how = {}) => {
    const bearer = how.token === undefined ? token : how.token
    const body = how.raw ?? (input.body === undefined ? undefined : JSON.stringify(input.body))
    const headers = {
      accept: 'application/json, */*;q=0.5',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...how.headers,
    }
    return send({ method, url: new URL(addressOf(base, path, input)), headers, body })
  }
  const readOnce = (name: string) => {
    const answer = read.get(name) ?? ask(callNamed(name))
    read.set(name, answer)
    return answer
  }
  const rows: Backend['rows'] = (name, input) =>
    (input ? ask(callNamed(name), input) : readOnce(name)).then(rowsOf, (error) => {
      if (error instanceof Unreachable) return []
      throw error
    })
  return { base, token, ask, read: readOnce, rows }
}

/** The rows of a list. Paginated lists are accepted too, although the contract has none. */
export function rowsOf({ body }: Pick<Answer, 'body'>): Row[] {
  if (isRow(body) && Array.isArray(body.results)) return body.results.filter(isRow)
  return Array.isArray(body) ? body.filter(isRow) : []
}

export const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

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

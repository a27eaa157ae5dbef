import { addressOf, type CallInput } from '#contracts/lib/client.ts'
import { type Call, callNamed } from './contracts.calls.ts'
import { type Answer, type Send, Unreachable } from './send.ts'

export type Row = Record<string, unknown>

type How = {
  /** Another token than that of who is signed in; null is none. */
  token?: string | null
  headers?: Record<string, string>
  /** A body that is no JSON. */
  raw?: string
}

/** A server that claims to keep the contract, and who is signed in at it. */
export type Backend = {
  base: string
  token: string | null
  ask(call: Call, input?: CallInput, how?: How): Promise<Answer>
  /** A call without input, made once however often it is asked for. */
  read(name: string): Promise<Answer>
  /** What a list holds; nothing when there was no answer. */
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

/** The rows of a list, also of one that comes in pages, against the contract. */
export function rowsOf({ body }: Pick<Answer, 'body'>): Row[] {
  if (isRow(body) && Array.isArray(body.results)) return body.results.filter(isRow)
  return Array.isArray(body) ? body.filter(isRow) : []
}

export const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

import { addressOf, type CallInput } from '#contracts/lib/client.ts'
import { type Call, callNamed } from './contracts.calls.ts'
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

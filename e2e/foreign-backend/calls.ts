import type { Habits } from './habits.ts'
import type { Reply } from './replies.ts'
import type { ShareLink, State, User } from './state.ts'

export type Body = Record<string, unknown>

/** The parts of a request that the backend's rules need. */
export type Call = {
  habits: Habits
  state: State
  now: Date
  query: URLSearchParams
  body: Body
  /** Path parameters of the pattern. */
  params: Record<string, string>
  user: User | undefined
  link: ShareLink | undefined
  /** Writes a list as pages of this variant. */
  list(rows: readonly unknown[]): Reply
}

/** `session` is for a signed-in user; `shared` also for a visitor with a link. */
export type Route = { method: string; path: string; access: 'open' | 'session' | 'shared'; answer(call: Call): Reply }

export const reply = (body: unknown, status = 200): Reply => ({ status, body })

/** All values of a body, including nested ones: the specification does not give the field names of most bodies. */
export function listValues(body: unknown): unknown[] {
  return typeof body === 'object' && body !== null ? Object.values(body).flatMap(listValues) : [body]
}

/** The first text of a body under one of the names. */
export const readText = (body: Body, ...names: string[]) => {
  const value = names.map((name) => body[name]).find((one) => typeof one === 'string')
  return typeof value === 'string' ? value : undefined
}

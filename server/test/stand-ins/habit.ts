import type { Route } from '#contracts/lib/route.ts'
import { getSuccess } from '#contracts/lib/route.ts'

export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [key: string]: Json }

/** The request whose response a deviation rewrites. */
export type About = {
  method: string
  /** Path without the query, such as `/devices/1/`. */
  path: string
  query: URLSearchParams
  /** Origin of the stand-in, for links in responses. */
  origin: string
  /** The endpoint of the contract; undefined for other paths. */
  route?: Route | undefined
}

/** A body is either `json` or `text`; neither for an empty one. */
export type Answer = { status: number; headers: Record<string, string>; json?: Json | undefined; text?: string | undefined }

export type Sent = { path: string; query: URLSearchParams; headers: Record<string, string>; json?: Json | undefined }

/**
 * A habit is one deviation of a backend from the contract: it rewrites responses, and maps back the requests of a client that knows only
 * this backend. Every part is a pure function of its arguments.
 */
export type Habit = {
  name: string
  /** Deviations of values come first, because they find fields by the schema of the contract; those of shapes come last. */
  stage: 'value' | 'entry' | 'shape' | 'answer'
  /** Rewrites the JSON of a success. */
  body?: (body: Json, about: About) => Json
  /** Rewrites a whole response, including failures. */
  answer?: (answer: Answer, about: About) => Answer
  /** Turns a request into one that the mock server understands. */
  request?: (sent: Sent, about: About) => Sent
  /** Responds without calling the mock server; `earlier` counts earlier requests of this method to this path. */
  refuse?: (about: About, sent: Sent, earlier: number) => Answer | undefined
  delayMs?: number
}

const STAGES = ['value', 'entry', 'shape', 'answer'] as const

/** The order in which habits are combined, whatever order they are named in. */
const sortHabits = (habits: readonly Habit[]): Habit[] => habits.toSorted((a, b) => STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage))

export const isSuccess = (status: number) => status >= 200 && status < 300

/** Applies all habits to the body of a success. */
export const applyToBody = (habits: readonly Habit[], body: Json, about: About): Json =>
  sortHabits(habits).reduce((value, habit) => habit.body?.(value, about) ?? value, body)

/** Applies all habits to a response; failures have no body that the contract describes. */
export function applyToAnswer(habits: readonly Habit[], answer: Answer, about: About): Answer {
  const hasBody = isSuccess(answer.status) && answer.json !== undefined
  const rewritten = hasBody ? { ...answer, json: applyToBody(habits, answer.json as Json, about) } : answer
  return sortHabits(habits).reduce((value, habit) => habit.answer?.(value, about) ?? value, rewritten)
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Schema of an endpoint's success response. */
export const findSchema = ({ route }: About) => route && getSuccess(route).schema

import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { Int } from './endpoint.ts'
import { missingObject, Problem } from './problem.ts'

const MAX_LIMIT = 100
const DEFAULT_LIMIT = 10

/** List parameters of every endpoint; `starting_after` is the id of the last object on the previous page. */
export const Pagination = { limit: z.optional(Int), starting_after: z.optional(z.string()) }

type PageQuery = { limit?: number | undefined; starting_after?: string | undefined }

/** One page of objects, newest first. */
export function paginate<T extends { id: string; created: number }>(
  all: Iterable<T>,
  { limit = DEFAULT_LIMIT, starting_after }: PageQuery,
  url: string,
): Stripe.ApiList<T> {
  if (limit < 1 || limit > MAX_LIMIT) throw new Problem(`This value must be between 1 and ${MAX_LIMIT}.`, { param: 'limit' })
  const sorted = [...all].reverse().sort((a, b) => b.created - a.created)
  const from = sorted.findIndex(({ id }) => id === starting_after) + 1
  if (starting_after !== undefined && from === 0) throw missingObject('object', starting_after, 'starting_after', 400)
  return { object: 'list', url, has_more: sorted.length > from + limit, data: sorted.slice(from, from + limit) }
}

import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { Int } from './endpoint.ts'
import { missing, Problem } from './problem.ts'

const MOST = 100
const USUAL = 10

/** List parameters of every endpoint; `starting_after` is the id of the last object on the previous page. */
export const Paging = { limit: z.optional(Int), starting_after: z.optional(z.string()) }

type Page = { limit?: number | undefined; starting_after?: string | undefined }

/** One page of objects, newest first. */
export function pageOf<T extends { id: string; created: number }>(
  all: Iterable<T>,
  { limit = USUAL, starting_after }: Page,
  url: string,
): Stripe.ApiList<T> {
  if (limit < 1 || limit > MOST) throw new Problem(`This value must be between 1 and ${MOST}.`, { param: 'limit' })
  const sorted = [...all].reverse().sort((a, b) => b.created - a.created)
  const from = sorted.findIndex(({ id }) => id === starting_after) + 1
  if (starting_after !== undefined && from === 0) throw missing('object', starting_after, 'starting_after', 400)
  return { object: 'list', url, has_more: sorted.length > from + limit, data: sorted.slice(from, from + limit) }
}

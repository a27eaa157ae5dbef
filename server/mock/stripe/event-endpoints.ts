import * as z from 'zod/mini'
import { endpoint, Int, NoInput } from './endpoint.ts'
import { Pagination, paginate } from './list.ts'
import { missingObject } from './problem.ts'

const EVENTS_PATH = '/v1/events'
const EventQuery = z.strictObject({
  ...Pagination,
  type: z.optional(z.string()),
  types: z.optional(z.array(z.string()).check(z.maxLength(20))),
  created: z.optional(z.strictObject({ gte: z.optional(Int), gt: z.optional(Int), lte: z.optional(Int), lt: z.optional(Int) })),
})

export const eventEndpoints = [
  endpoint('GET', EVENTS_PATH, EventQuery, ({ events }, { type, types, created: { gte, gt, lte, lt } = {}, ...paging }) => {
    const found = events.filter(
      (event) =>
        (!type || event.type === type) &&
        (!types || types.includes(event.type)) &&
        event.created >= (gte ?? 0) &&
        event.created > (gt ?? -1) &&
        event.created <= (lte ?? Number.POSITIVE_INFINITY) &&
        event.created < (lt ?? Number.POSITIVE_INFINITY),
    )
    return paginate(found, paging, EVENTS_PATH)
  }),
  endpoint('GET', `${EVENTS_PATH}/:id`, NoInput, ({ events }, _, id) => {
    const event = events.find((one) => one.id === id)
    if (!event) throw missingObject('event', id)
    return event
  }),
]

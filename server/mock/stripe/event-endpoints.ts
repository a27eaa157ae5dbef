import * as z from 'zod/mini'
import { endpoint, Int, Nothing } from './endpoint.ts'
import { Paging, pageOf } from './list.ts'
import { missing } from './problem.ts'

const PATH = '/v1/events'
const Listed = z.strictObject({
  ...Paging,
  type: z.optional(z.string()),
  types: z.optional(z.array(z.string()).check(z.maxLength(20))),
  created: z.optional(z.strictObject({ gte: z.optional(Int), gt: z.optional(Int), lte: z.optional(Int), lt: z.optional(Int) })),
})

export const eventEndpoints = [
  endpoint('GET', PATH, Listed, ({ events }, { type, types, created: { gte, gt, lte, lt } = {}, ...paging }) => {
    const found = events.filter(
      (event) =>
        (!type || event.type === type) &&
        (!types || types.includes(event.type)) &&
        event.created >= (gte ?? 0) &&
        event.created > (gt ?? -1) &&
        event.created <= (lte ?? Number.POSITIVE_INFINITY) &&
        event.created < (lt ?? Number.POSITIVE_INFINITY),
    )
    return pageOf(found, paging, PATH)
  }),
  endpoint('GET', `${PATH}/:id`, Nothing, ({ events }, _, id) => {
    const event = events.find((one) => one.id === id)
    if (!event) throw missing('event', id)
    return event
  }),
]

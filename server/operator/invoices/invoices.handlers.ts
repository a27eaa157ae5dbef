import type { operatorInvoices as contract } from '#contracts/operator/invoices.ts'
import { answerInTime } from '#server/billing/access/answer-in-time.ts'
import type { Handlers } from '#server/http/serve.ts'
import { exportAccounting } from './accounting.ts'
import { presentInvoice, readInvoice } from './invoices.present.ts'
import { type ListFilter, listInvoices } from './invoices.store.ts'
import { refundInvoice } from './refund.ts'

const PAGE_SIZE = 50

function parseAfter(after: string | undefined): ListFilter['after'] {
  if (after === undefined) return undefined
  const [at, id] = after.split('_').map(Number) as [number, number]
  return { date: new Date(at), id }
}

export const operatorInvoices: Handlers<typeof contract> = {
  ...answerInTime({
    refund: (({ params, body }, context) => refundInvoice(context, params.id, body.amount)) as Handlers<typeof contract>['refund'],
  }),

  async list({ query: { state, search, after } }, { db }) {
    const rows = await listInvoices(db.read, { state, search: search?.trim(), after: parseAfter(after) }, PAGE_SIZE + 1)
    const page = rows.slice(0, PAGE_SIZE)
    const last = page.at(-1)
    return {
      invoices: await Promise.all(page.map((row) => presentInvoice(db.read, row))),
      next: last && rows.length > PAGE_SIZE ? `${last.date.getTime()}_${last.id}` : null,
    }
  },

  read: ({ params }, { db }) => readInvoice(db.read, params.id),

  export: ({ query: { from, to } }, { db }) => exportAccounting(db.read, { from, to }),
}

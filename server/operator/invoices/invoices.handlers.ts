import type { operatorInvoices as contract } from '#contracts/operator/invoices.ts'
import { answerInTime } from '#server/billing/access/answer-in-time.ts'
import type { Handlers } from '#server/http/serve.ts'
import { formatPageEnd, parsePageEnd } from '#server/lib/pages/page-end.ts'
import { presentCustomers } from '#server/operator/search/present-customer.ts'
import { exportAccounting } from './accounting.ts'
import { presentInvoice, readInvoice } from './invoices.present.ts'
import { listInvoices } from './invoices.store.ts'
import { refundInvoice } from './refund.ts'

const PAGE_SIZE = 50

export const operatorInvoices: Handlers<typeof contract> = {
  ...answerInTime({
    refund: (({ params, body }, context) => refundInvoice(context, params.id, body.amount)) as Handlers<typeof contract>['refund'],
  }),

  async list({ query: { state, search, sort, after } }, { db }) {
    const rows = await listInvoices(db.read, { state, search: search?.trim(), sort, after: parsePageEnd(after) }, PAGE_SIZE + 1)
    const page = rows.slice(0, PAGE_SIZE)
    const last = page.at(-1)
    const customerOf = await presentCustomers(db.read, page)
    return {
      invoices: page.map((row) => presentInvoice(row, customerOf(row.accountId))),
      next: last && rows.length > PAGE_SIZE ? formatPageEnd(sort?.endsWith('amount') ? last.amount : last.date.getTime(), last.id) : null,
    }
  },

  read: ({ params }, { db }) => readInvoice(db.read, params.id),

  export: ({ query: { from, to } }, { db }) => exportAccounting(db.read, { from, to }),
}

import type { invoices as contract } from '#contracts/billing/invoices.ts'
import { findLanguage } from '#db/people.ts'
import { buildInvoiceFile } from '#server/billing/paper/invoice-file.ts'
import { presentInvoice } from '#server/billing/records/invoices.present.ts'
import { findInvoice, invoicesInSight } from '#server/billing/records/invoices.store.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { payInvoice } from './pay-invoice.ts'

export const invoices: Handlers<typeof contract> = {
  async list(_, { db, viewer }) {
    return (await invoicesInSight(db.read, viewer)).map(presentInvoice)
  },

  async pdf({ params }, context) {
    const invoice = await getInvoice(context, params.id)
    const file = await buildInvoiceFile(context, invoice, await findLanguage(context.db.read, context.viewer.userId))
    if (!file) throw new Failure('not_found')
    return file
  },

  async pay({ params }, context) {
    return presentInvoice(await payInvoice(context, await getInvoice(context, params.id)))
  },
}

async function getInvoice({ db, viewer }: ViewerContext, id: number) {
  const invoice = await findInvoice(db.read, viewer, id)
  if (!invoice) throw new Failure('not_found')
  return invoice
}

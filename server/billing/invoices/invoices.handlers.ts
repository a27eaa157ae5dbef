import type { invoices as contract } from '#contracts/billing/invoices.ts'
import { languageOf, ownerOf } from '#db/people.ts'
import { presentInvoice } from '#server/billing/records/invoices.present.ts'
import { findInvoice, invoicesInSight } from '#server/billing/records/invoices.store.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { drawInvoice } from './invoice-pdf.ts'
import { presentInvoiceText } from './invoice-text.ts'
import { payInvoice } from './pay-invoice.ts'

export const invoices: Handlers<typeof contract> = {
  async list(_, { db, viewer }) {
    return (await invoicesInSight(db.read, viewer)).map(presentInvoice)
  },

  async pdf({ params }, context) {
    const { db, viewer, clock, productName, payments } = context
    const invoice = await getInvoice(context, params.id)
    const [owner, language] = await Promise.all([ownerOf(db.read, invoice.accountId), languageOf(db.read, viewer.userId)])
    if (!owner) throw new Failure('not_found')
    const paper = presentInvoiceText({ invoice, owner, seller: productName, isLive: payments.isLive }, language)
    return { filename: `${invoice.number}.pdf`, content: await drawInvoice(paper, clock.now()) }
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

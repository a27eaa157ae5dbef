import type { FastifyInstance } from 'fastify'
import { operatorApi } from '#contracts/operator/index.ts'
import { deeds } from '#server/deeds/deeds.handlers.ts'
import { serve } from '#server/http/serve.ts'
import { operatorAnnouncements } from '#server/operator/announcements/announcements.ts'
import { operatorClaims } from '#server/operator/claims/claims.ts'
import { codes } from '#server/operator/codes/codes.ts'
import { customers } from '#server/operator/customers/customers.ts'
import { gateways } from '#server/operator/gateways/gateways.ts'
import { operatorInvoices } from '#server/operator/invoices/invoices.handlers.ts'
import { operatorOrders } from '#server/operator/orders/orders.handlers.ts'
import { operatorPrices } from '#server/operator/prices/prices.ts'
import { ownerRequests } from '#server/operator/requests/requests.ts'
import { staff, staffKeys, staffSession } from '#server/operator/staff/staff.handlers.ts'
import { stock } from '#server/operator/stock/stock.ts'
import { today } from '#server/operator/today/today.ts'
import { operatorTrackers } from '#server/operator/trackers/trackers.ts'
import { operatorWithdrawals } from '#server/operator/withdrawals/withdrawals.handlers.ts'

/** Registers the API of the company's counter. */
export function registerOperatorApi(app: FastifyInstance) {
  serve(app, operatorApi.staffSession, staffSession)
  serve(app, operatorApi.staff, staff)
  serve(app, operatorApi.staffKeys, staffKeys)
  serve(app, operatorApi.deeds, deeds)
  serve(app, operatorApi.operatorAnnouncements, operatorAnnouncements)
  serve(app, operatorApi.gateways, gateways)
  serve(app, operatorApi.operatorInvoices, operatorInvoices)
  serve(app, operatorApi.operatorWithdrawals, operatorWithdrawals)
  serve(app, operatorApi.operatorOrders, operatorOrders)
  serve(app, operatorApi.operatorPrices, operatorPrices)
  serve(app, operatorApi.ownerRequests, ownerRequests)
  serve(app, operatorApi.operatorClaims, operatorClaims)
  serve(app, operatorApi.stock, stock)
  serve(app, operatorApi.customers, customers)
  serve(app, operatorApi.operatorTrackers, operatorTrackers)
  serve(app, operatorApi.codes, codes)
  serve(app, operatorApi.today, today)
}

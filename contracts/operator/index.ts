import { operatorAnnouncements } from './announcements.ts'
import { operatorClaims } from './claims.ts'
import { codes } from './codes.ts'
import { customers } from './customers.ts'
import { deeds } from './deeds.ts'
import { gateways } from './gateways.ts'
import { operatorInvoices } from './invoices.ts'
import { operatorOrders } from './orders.ts'
import { operatorPrices } from './prices.ts'
import { ownerRequests } from './requests.ts'
import { staff, staffKeys, staffSession } from './staff.ts'
import { stock } from './stock.ts'
import { today } from './today.ts'
import { operatorTrackers } from './trackers.ts'
import { operatorWithdrawals } from './withdrawals.ts'

/** The API of the company's counter, by resource: for the console, for `operator.js`, and for other systems of the company. */
export const operatorApi = {
  staffSession,
  staff,
  staffKeys,
  deeds,
  gateways,
  operatorOrders,
  ownerRequests,
  operatorClaims,
  stock,
  customers,
  operatorTrackers,
  operatorInvoices,
  operatorWithdrawals,
  codes,
  today,
  operatorAnnouncements,
  operatorPrices,
}

import * as announcements from '#contracts/operator/announcements.ts'
import * as codes from '#contracts/operator/codes.ts'
import * as deeds from '#contracts/operator/deeds.ts'
import * as gateways from '#contracts/operator/gateways.ts'
import { operatorApi } from '#contracts/operator/index.ts'
import * as invoices from '#contracts/operator/invoices.ts'
import * as orders from '#contracts/operator/orders.ts'
import * as requests from '#contracts/operator/requests.ts'
import * as staff from '#contracts/operator/staff.ts'
import * as stock from '#contracts/operator/stock.ts'
import * as today from '#contracts/operator/today.ts'
import * as withdrawals from '#contracts/operator/withdrawals.ts'
import { nameModels } from '#server/http/docs/models.ts'
import { buildOpenApi } from '#server/http/docs/openapi.ts'

const INFO = {
  title: 'Whereabouts counter',
  version: '1.0.0',
  description: `What the company that runs the portal does: stock, codes, orders, requests, refunds, staff. Another system of the company, such as its
shop, sends a key as \`Authorization: Bearer …\`; \`operator.js keys add\` makes one. Calls that change something accept an
\`Idempotency-Key\`: a repeat with the same key changes nothing and gets the same response, but for secrets that are shown once.`,
}

const EXTRA = {
  securitySchemes: {
    staff: { type: 'apiKey', in: 'cookie', name: 'staffid', description: 'The session of the console; changes also need X-CSRFToken' },
    staffKey: { type: 'http', scheme: 'bearer', description: 'A key of another system of the company' },
  },
}

nameModels([announcements, codes, deeds, gateways, invoices, orders, requests, staff, stock, today, withdrawals])

/** The OpenAPI document of the operator's API. */
export const buildOperatorReference = () => buildOpenApi(operatorApi, {}, INFO, EXTRA)

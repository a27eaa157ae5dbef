import { alerts } from './alerts.ts'
import { confirmations } from './confirmations.ts'
import { conflicts } from './conflicts.ts'
import { contacts } from './contacts.ts'
import { deviceKeys } from './device-keys.ts'
import { devices } from './devices.ts'
import { invoices } from './invoices.ts'
import { links } from './links.ts'
import { orders } from './orders.ts'
import { paymentMethods } from './payment-methods.ts'
import { places } from './places.ts'
import { positions } from './positions.ts'
import { sct2 } from './sct2.ts'
import { serialChecks } from './serial-checks.ts'
import { sessions } from './sessions.ts'
import { subscriptions } from './subscriptions.ts'
import { tags } from './tags.ts'
import { team } from './team.ts'
import { theft } from './theft.ts'
import { trackers } from './trackers.ts'
import { users } from './users.ts'

/** Every endpoint of the API: those of the specification and those the portal adds. */
export const api = {
  alerts,
  confirmations,
  conflicts,
  contacts,
  deviceKeys,
  devices,
  invoices,
  links,
  orders,
  paymentMethods,
  places,
  positions,
  sct2,
  serialChecks,
  sessions,
  subscriptions,
  tags,
  team,
  theft,
  trackers,
  users,
}

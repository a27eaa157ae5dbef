import { announcements } from '#contracts/accounts/announcements.ts'
import { apiTokens } from '#contracts/accounts/api-tokens.ts'
import { channels } from '#contracts/accounts/channels.ts'
import { confirmations } from '#contracts/accounts/confirmations.ts'
import { handOff } from '#contracts/accounts/hand-off.ts'
import { myData } from '#contracts/accounts/my-data.ts'
import { push } from '#contracts/accounts/push.ts'
import { quietHours } from '#contracts/accounts/quiet-hours.ts'
import { retention } from '#contracts/accounts/retention.ts'
import { factorSignIn, passkeys, recentSignIn, secondFactor } from '#contracts/accounts/second-factor.ts'
import { security } from '#contracts/accounts/security.ts'
import { sessions } from '#contracts/accounts/sessions.ts'
import { silences } from '#contracts/accounts/silences.ts'
import { team } from '#contracts/accounts/team.ts'
import { terms } from '#contracts/accounts/terms.ts'
import { users } from '#contracts/accounts/users.ts'
import { careClaims } from '#contracts/billing/care-claims.ts'
import { invoices } from '#contracts/billing/invoices.ts'
import { orders } from '#contracts/billing/orders.ts'
import { paymentMethods } from '#contracts/billing/payment-methods.ts'
import { planMoves } from '#contracts/billing/plan-moves.ts'
import { planPauses } from '#contracts/billing/plan-pauses.ts'
import { subscriptions } from '#contracts/billing/subscriptions.ts'
import { conflicts } from '#contracts/trackers/conflicts.ts'
import { deviceKeys } from '#contracts/trackers/device-keys.ts'
import { devices } from '#contracts/trackers/devices.ts'
import { normal } from '#contracts/trackers/normal.ts'
import { owners } from '#contracts/trackers/owners.ts'
import { phoneTrackers } from '#contracts/trackers/phones.ts'
import { photos } from '#contracts/trackers/photos.ts'
import { sct2 } from '#contracts/trackers/sct2.ts'
import { serialChecks } from '#contracts/trackers/serial-checks.ts'
import { trackers } from '#contracts/trackers/trackers.ts'
import { addresses } from './addresses.ts'
import { alertDryRun, alertSwitch, alerts } from './alerts.ts'
import { batteryAlerts } from './battery-alerts.ts'
import { contacts } from './contacts.ts'
import { data } from './data.ts'
import { days } from './days.ts'
import { alertInbox, firings } from './firings.ts'
import { groupLinks, links } from './links.ts'
import { networkKeys, networkNumbers, networkServer, uplinkMappings } from './networks.ts'
import { places } from './places.ts'
import { positions } from './positions.ts'
import { tags } from './tags.ts'
import { theft } from './theft.ts'

/** Every endpoint of the API: those of the specification and those that the portal adds. */
export const api = {
  addresses,
  alertDryRun,
  alertInbox,
  alertSwitch,
  alerts,
  announcements,
  apiTokens,
  batteryAlerts,
  careClaims,
  channels,
  confirmations,
  conflicts,
  contacts,
  data,
  days,
  deviceKeys,
  devices,
  factorSignIn,
  firings,
  groupLinks,
  invoices,
  links,
  handOff,
  myData,
  networkKeys,
  networkNumbers,
  networkServer,
  normal,
  orders,
  owners,
  passkeys,
  paymentMethods,
  phoneTrackers,
  photos,
  places,
  planMoves,
  planPauses,
  positions,
  push,
  quietHours,
  recentSignIn,
  retention,
  sct2,
  secondFactor,
  serialChecks,
  security,
  sessions,
  silences,
  subscriptions,
  tags,
  team,
  terms,
  theft,
  trackers,
  uplinkMappings,
  users,
}

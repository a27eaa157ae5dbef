import { accounts, emailKeys, teamDevices, users } from '#db/schema/accounts.ts'
import { invoices, orders, paymentMethods, prices, subscriptions, verificationCodes } from '#db/schema/commerce.ts'
import { deviceKeys, devices, factoryDevices, hiddenDevices, sct2Params, tags } from '#db/schema/devices.ts'
import { emails } from '#db/schema/emails.ts'
import { alertContacts, alertDevices, alerts, contacts, placeDevices, places } from '#db/schema/places.ts'
import { publicLinks, serialChecks, theftReports, unlinkRequests } from '#db/schema/sharing.ts'
import { seeds } from '#db/schema/worlds.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { accountRows, emailKeyRows, teamDeviceRows, userRows } from '#server/mock/seed/records/accounts.ts'
import { alertContactRows, alertDeviceRows, alertRows, contactRows } from '#server/mock/seed/records/alerts.ts'
import { cardRows, codeRows, invoiceRows, orderRows, subscriptionRows } from '#server/mock/seed/records/commerce.ts'
import { factoryRows, serialCheckRows, unlinkRequestRows } from '#server/mock/seed/records/conflicts.ts'
import type { DevicePlan } from '#server/mock/seed/records/device-plan.ts'
import type { LastSeen } from '#server/mock/seed/records/devices.ts'
import { deviceRows, hiddenRows, sct2Rows, tagRows } from '#server/mock/seed/records/devices.ts'
import { momentsFrom } from '#server/mock/seed/records/moments.ts'
import { placeRows } from '#server/mock/seed/records/places.ts'
import { priceRows } from '#server/mock/seed/records/prices.ts'
import { deviceKeyRows, emailRows, theftRows } from '#server/mock/seed/records/reports.ts'
import { linkRows } from '#server/mock/seed/records/sharing.ts'
import type { Spots } from '#server/mock/seed/records/spots.ts'

export type Filling = { anchor: Date; seed: number; spots: Spots; passwordHash: string; seen: (plan: DevicePlan) => LastSeen | null }

/** Inserts every seeded row except the positions. */
export async function fill(tx: Tx, { anchor, seed, spots, passwordHash, seen }: Filling) {
  const at = momentsFrom(anchor)
  const placed = placeRows(spots)
  await tx.insert(seeds).values({ seed, anchor })
  await tx.insert(accounts).values(accountRows)
  await tx.insert(users).values(userRows(at, passwordHash))
  await tx.insert(emailKeys).values(emailKeyRows(at))
  await tx.insert(tags).values(tagRows)
  await tx.insert(devices).values(deviceRows(at, seen))
  await tx.insert(teamDevices).values(teamDeviceRows)
  await tx.insert(hiddenDevices).values(hiddenRows)
  await tx.insert(sct2Params).values(sct2Rows)
  await tx.insert(factoryDevices).values(factoryRows)
  await tx.insert(deviceKeys).values(deviceKeyRows)
  await tx.insert(places).values(placed.places)
  await tx.insert(placeDevices).values(placed.placeDevices)
  await tx.insert(contacts).values(contactRows)
  await tx.insert(alerts).values(alertRows)
  await tx.insert(alertDevices).values(alertDeviceRows)
  await tx.insert(alertContacts).values(alertContactRows)
  await tx.insert(publicLinks).values(linkRows(at))
  await tx.insert(theftReports).values(theftRows(at, spots))
  await tx.insert(serialChecks).values(serialCheckRows)
  await tx.insert(unlinkRequests).values(unlinkRequestRows(at))
  await tx.insert(prices).values(priceRows)
  await tx.insert(subscriptions).values(subscriptionRows(at))
  await tx.insert(verificationCodes).values(codeRows(at))
  await tx.insert(orders).values(orderRows(at))
  await tx.insert(invoices).values(invoiceRows(at))
  await tx.insert(paymentMethods).values(cardRows(at))
  await tx.insert(emails).values(emailRows(at))
}

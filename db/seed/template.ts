import type { City } from '#db/city/city.ts'
import { migrate, openDb, type Tx } from '#db/open.ts'
import { accounts, emailKeys, teamDevices, users } from '#db/tables/accounts.ts'
import { invoices, orders, paymentMethods, prices, subscriptions, verificationCodes } from '#db/tables/commerce.ts'
import { deviceKeys, devices, factoryDevices, hiddenDevices, sct2Params, tags } from '#db/tables/devices.ts'
import { emails } from '#db/tables/emails.ts'
import { alertContacts, alertDevices, alerts, contacts, placeDevices, places } from '#db/tables/places.ts'
import { publicLinks, serialChecks, theftReports, unlinkRequests } from '#db/tables/sharing.ts'
import { seeds } from '#db/tables/worlds.ts'
import { accountRows, emailKeyRows, teamDeviceRows, userRows } from './accounts.ts'
import { alertContactRows, alertDeviceRows, alertRows, contactRows } from './alerts.ts'
import { cardRows, codeRows, invoiceRows, orderRows, subscriptionRows } from './commerce.ts'
import { factoryRows, serialCheckRows, unlinkRequestRows } from './conflicts.ts'
import { deviceRows, hiddenRows, sct2Rows, tagRows } from './devices.ts'
import { seededPasswordHash } from './hashes.ts'
import { momentsFrom } from './moments.ts'
import { DEMO_PASSWORD } from './personas.ts'
import { placeRows } from './places.ts'
import { priceRows } from './prices.ts'
import { deviceKeyRows, emailRows, theftRows } from './reports.ts'
import { linkRows } from './sharing.ts'
import { spotsOf } from './spots.ts'

/** Everything the demo is laid around: dates count from `anchor`, what is drawn by lot from `seed`. */
export type TemplateOptions = { anchor: Date; seed: number; city: City }

/** The bytes of a database with all demo data; the same options give the same bytes. */
export async function buildTemplate({ anchor, seed, city }: TemplateOptions): Promise<Buffer> {
  const db = openDb(':memory:')
  migrate(db)
  const passwordHash = await seededPasswordHash(DEMO_PASSWORD, seed)
  await db.write((tx) => fill(tx, { anchor, seed, city }, passwordHash))
  db.raw.exec('vacuum')
  const bytes = db.raw.serialize()
  db.close()
  return bytes
}

async function fill(tx: Tx, { anchor, seed, city }: TemplateOptions, passwordHash: string) {
  const at = momentsFrom(anchor)
  const spots = spotsOf(city)
  const placed = placeRows(spots)
  await tx.insert(seeds).values({ seed, anchor })
  await tx.insert(accounts).values(accountRows)
  await tx.insert(users).values(userRows(at, passwordHash))
  await tx.insert(emailKeys).values(emailKeyRows(at))
  await tx.insert(tags).values(tagRows)
  await tx.insert(devices).values(deviceRows(at, spots))
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

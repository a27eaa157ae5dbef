import { GRACE_DAYS } from '#contracts/rules/service.ts'
import type { Tx } from '#db/db.ts'
import type { NewPosition } from '#db/positions.ts'
import { accounts, dataCopies, dataCopyFiles, emailKeys, teamDevices, tokens, users } from '#db/schema/accounts.ts'
import { invoices, orders, paymentCursors, paymentMethods, prices, subscriptions, verificationCodes } from '#db/schema/commerce.ts'
import { deviceKeys, devices, hiddenDevices, includedMonthsUsed, photos, sct2Params, stockItems, tags } from '#db/schema/devices.ts'
import { factorChallenges, passkeys, recoveryCodes, totpSecrets } from '#db/schema/factors.ts'
import { channels, emails } from '#db/schema/messages.ts'
import { alertContacts, alertDevices, alertFirings, alerts, contacts, mailStops, placeDevices, places } from '#db/schema/places.ts'
import { usualAreas } from '#db/schema/positions.ts'
import { apiTokens, handOffs } from '#db/schema/security.ts'
import { linkDevices, publicLinks, serialAttempts, theftReports, unlinkRequests } from '#db/schema/sharing.ts'
import { staff } from '#db/schema/staff.ts'
import { seeds } from '#db/schema/worlds.ts'
import { migrate, openSqlite } from '#db/sqlite/open.ts'
import type { City } from '#server/mock/city/index.ts'
import { createJourneys } from '#server/mock/seed/journeys/journeys.ts'
import {
  accountRows,
  apiTokenRows,
  dataCopyFileRows,
  dataCopyRows,
  emailKeyRows,
  handOffRows,
  sessionRows,
  teamDeviceRows,
  userRows,
} from '#server/mock/seed/records/accounts.ts'
import { cardRows, codeRows, cursorRows, invoiceRows, orderRows, subscriptionRows } from '#server/mock/seed/records/commerce.ts'
import { serialAttemptRows, unlinkRequestRows } from '#server/mock/seed/records/conflicts.ts'
import type { DevicePlan } from '#server/mock/seed/records/device-plan.ts'
import {
  claimedStockRows,
  deviceRows,
  freeStockRows,
  hiddenRows,
  type LastSeen,
  sct2Rows,
  tagRows,
  usedMonthsRows,
} from '#server/mock/seed/records/devices.ts'
import { FLEETS } from '#server/mock/seed/records/fleets.ts'
import { momentsFrom } from '#server/mock/seed/records/moments.ts'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { photoRows } from '#server/mock/seed/records/photos.ts'
import {
  alertContactRows,
  alertDeviceRows,
  alertRows,
  channelRows,
  contactRows,
  firingRows,
  mailStopRows,
  placeRows,
  usualAreaRows,
} from '#server/mock/seed/records/places.ts'
import { priceRows } from '#server/mock/seed/records/prices.ts'
import { factorChallengeRows, passkeyRows, recoveryCodeRows, staffRows, totpRows } from '#server/mock/seed/records/second-factor.ts'
import { seededPasswordHash } from '#server/mock/seed/records/seed-secrets.ts'
import { deviceKeyRows, emailRows, linkDeviceRows, linkRows, theftRows } from '#server/mock/seed/records/sharing.ts'
import { createSpotLookup, type Spots } from '#server/mock/seed/records/spots.ts'
import { learnDue } from '#server/tracking/normal/learn-normal.ts'
import { computeLastSeen, simulateHistory } from './history.ts'

/** Dates count from `anchor`; everything random is drawn from `seed`. */
export type TemplateOptions = { anchor: Date; seed: number; city: City }

/** Builds a database with all demo data and returns its bytes; the same options give the same bytes. */
export async function buildTemplate({ anchor: wished, seed, city }: TemplateOptions): Promise<Buffer> {
  const anchor = new Date(wished)
  anchor.setUTCMilliseconds(0) // positions have a resolution of one second
  const journeys = createJourneys(city, seed)
  const histories = new Map<number, NewPosition[]>()
  for (const { devices } of FLEETS) for (const plan of devices) histories.set(plan.id, simulateHistory(journeys, plan))
  const passwordHash = await seededPasswordHash(DEMO_PASSWORD, seed)

  const db = openSqlite(':memory:')
  migrate(db)
  await db.write('everything', async (tx) => {
    const seen = ({ id }: { id: number }) => computeLastSeen(city, histories.get(id) ?? [])
    await insertSeedRows(tx, { anchor, seed, spots: createSpotLookup(city), passwordHash, seen })
    const origin = anchor.getTime() / 1000
    for (const [id, rows] of histories)
      await db.positions.add(
        tx,
        id,
        rows.map((row) => ({ ...row, time: origin + row.time })),
      )
  })
  await learnDue({ db, graceDays: GRACE_DAYS.usual }, anchor)
  db.raw.exec('vacuum')
  const bytes = db.raw.serialize()
  db.close()
  return bytes
}

export type SeedContext = { anchor: Date; seed: number; spots: Spots; passwordHash: string; seen: (plan: DevicePlan) => LastSeen | null }

async function insertSeedRows(tx: Tx, { anchor, seed, spots, passwordHash, seen }: SeedContext) {
  const at = momentsFrom(anchor)
  const placed = placeRows(spots)
  const trackers = deviceRows(at, seen)
  await tx.insert(seeds).values({ seed, anchor })
  await tx.insert(staff).values(staffRows(at({ days: -90 }), passwordHash))
  await tx.insert(accounts).values(accountRows)
  await tx.insert(users).values(userRows(at, passwordHash))
  await tx.insert(emailKeys).values(emailKeyRows(at))
  await tx.insert(tokens).values(sessionRows(at))
  await tx.insert(apiTokens).values(apiTokenRows(at))
  await tx.insert(handOffs).values(handOffRows(at))
  await tx.insert(dataCopies).values(dataCopyRows(at))
  await tx.insert(dataCopyFiles).values(await dataCopyFileRows(at))
  await tx.insert(channels).values(channelRows(at))
  await tx.insert(totpSecrets).values(totpRows(at))
  await tx.insert(recoveryCodes).values(recoveryCodeRows)
  await tx.insert(passkeys).values(passkeyRows(at))
  await tx.insert(factorChallenges).values(factorChallengeRows(at))
  await tx.insert(tags).values(tagRows)
  await tx.insert(devices).values(trackers)
  await tx.insert(photos).values(photoRows)
  await tx.insert(teamDevices).values(teamDeviceRows)
  await tx.insert(hiddenDevices).values(hiddenRows)
  await tx.insert(sct2Params).values(sct2Rows)
  await tx.insert(stockItems).values([...freeStockRows(at), ...claimedStockRows(trackers)])
  await tx.insert(includedMonthsUsed).values(usedMonthsRows(trackers))
  await tx.insert(deviceKeys).values(deviceKeyRows)
  await tx.insert(places).values(placed.places)
  await tx.insert(placeDevices).values(placed.placeDevices)
  await tx.insert(contacts).values(contactRows)
  await tx.insert(mailStops).values(mailStopRows(at))
  await tx.insert(alerts).values(alertRows(at))
  await tx.insert(alertDevices).values(alertDeviceRows)
  await tx.insert(alertContacts).values(alertContactRows)
  await tx.insert(alertFirings).values(firingRows(at))
  await tx.insert(usualAreas).values(usualAreaRows(at))
  await tx.insert(publicLinks).values(linkRows(at))
  await tx.insert(linkDevices).values(linkDeviceRows)
  await tx.insert(theftReports).values(theftRows(at, spots))
  await tx.insert(serialAttempts).values(serialAttemptRows)
  await tx.insert(unlinkRequests).values(unlinkRequestRows(at))
  await tx.insert(prices).values(priceRows)
  await tx.insert(subscriptions).values(subscriptionRows(at))
  await tx.insert(verificationCodes).values(codeRows(at))
  await tx.insert(orders).values(orderRows(at))
  await tx.insert(invoices).values(invoiceRows(at))
  await tx.insert(paymentMethods).values(cardRows(at))
  await tx.insert(paymentCursors).values(cursorRows(at))
  await tx.insert(emails).values(emailRows(at))
}

import { THEFT_AHEAD_MINUTES } from '#contracts/lib/constants.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { theft as contract, TheftReportChange } from '#contracts/theft.ts'
import { writeDevices } from '#db/device-changes.ts'
import { languageOf, ownerOf } from '#db/people.ts'
import { getOwnedDevice, getOwnedDeviceInTx } from '#server/devices/get-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { presentForm, presentReport } from './theft.present.ts'
import { findNewestReport, findOpenReport, insertReport, updateReport } from './theft.store.ts'
import { drawForm } from './theft-pdf.ts'

export const theft: Handlers<typeof contract> = {
  async read({ params }, { db, viewer }) {
    const device = await getOwnedDevice({ db, viewer }, params.id)
    const report = await findNewestReport(db.read, device.id)
    if (!report) throw new Failure('no_report')
    return presentReport(report)
  },
  async open({ params, body }, { db, viewer, clock }) {
    const now = clock.now()
    const asked = { ...parseReportFields(body), date: parseTheftDate(body.date, now), address: body.address, description: body.description }
    return writeDevices(db, async (tx, touch) => {
      const device = await getOwnedDeviceInTx(tx, viewer, params.id)
      if (await findOpenReport(tx, device.id)) throw new Failure('theft_open')
      touch(device)
      const report = { policeReference: null, ...asked, deviceId: device.id, status: 'open' as const, createdAt: now, closedAt: null }
      return presentReport(await insertReport(tx, report))
    })
  },
  async change({ params, body }, { db, viewer, clock }) {
    const now = clock.now()
    const change = { ...parseReportFields(body), ...(body.date !== undefined && { date: parseTheftDate(body.date, now) }) }
    const end = body.status === 'closed' ? { status: 'closed' as const, closedAt: now } : {}
    return writeDevices(db, async (tx, touch) => {
      const device = await getOwnedDeviceInTx(tx, viewer, params.id)
      const report = await findOpenReport(tx, device.id)
      if (!report) throw new Failure('no_report')
      touch(device)
      return presentReport(await updateReport(tx, report.id, { status: 'open', ...change, ...end }))
    })
  },
  async form({ params }, { db, viewer, clock }) {
    const device = await getOwnedDevice({ db, viewer }, params.id)
    const now = clock.now()
    const [owner, report, language] = await Promise.all([
      ownerOf(db.read, device.accountId),
      findOpenReport(db.read, device.id),
      languageOf(db.read, viewer.userId),
    ])
    if (!owner) throw new Failure('not_found')
    const form = presentForm({ device, owner, report, now }, language)
    return { filename: `theft_form_${device.id}.pdf`, content: await drawForm(form, now) }
  },
}

/** The time of the theft. Throws when it is in the future; allows for a user's clock that is a little fast. */
function parseTheftDate(text: string, now: Date) {
  const date = new Date(text)
  if (date.getTime() > now.getTime() + THEFT_AHEAD_MINUTES * MINUTE_MS) throw invalidField('date', 'Must not be in the future')
  return date
}

/** Text fields of the report; an empty reference becomes null. */
const parseReportFields = ({ address, description, police_reference: reference }: TheftReportChange) => ({
  ...(address !== undefined && { address }),
  ...(description !== undefined && { description }),
  ...(reference !== undefined && { policeReference: reference || null }),
})

import type { Lab } from '#scripts/bench/lab.ts'
import { compareRates } from '#scripts/bench/measure.ts'
import { atLeast, type MeasuredRow, type Row } from '#scripts/bench/row.ts'
import { MONTH_DEVICE, period } from '#scripts/bench/servers/bench-data.ts'

async function historyRequest(lab: Lab, days: number) {
  const { url, pid, token } = await lab.portal()
  return { pid, url: `${url}/devices/${MONTH_DEVICE}/tracker_data/?${period(days)}`, headers: { authorization: `Bearer ${token}` } }
}

const firstPage = (days: number, goal: number): MeasuredRow => ({
  id: `D1/page-${days}`,
  name: `first page of ${days === 1 ? 'a day' : `${days} days`}`,
  floor: 'node:http, same bytes',
  goal: atLeast(goal),
  async measure(lab) {
    const ours = await historyRequest(lab, days)
    return compareRates({ ours, floor: await lab.floorOf(ours.url, ours.headers) })
  },
})

export const history: Row[] = [firstPage(1, 0.05), firstPage(30, 0.02)]

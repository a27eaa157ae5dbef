import { compareRates } from '#scripts/bench/measure.ts'
import { atLeast, type MeasuredRow, type Row } from '#scripts/bench/row.ts'
import { MONTH_DEVICE, period } from '#scripts/bench/servers/bench-data.ts'

type Answer = { id: string; name: string; call: '' | 'track/'; days: number; goal: number }

export const historyAnswer = ({ id, name, call, days, goal }: Answer): MeasuredRow => ({
  id: `D1/${id}-${days}`,
  name: `${name} of ${days === 1 ? 'a day' : `${days} days`}`,
  floor: 'node:http, same bytes',
  goal: atLeast(goal),
  async measure(lab) {
    const { url, pid, token } = await lab.portal()
    const path = `/devices/${MONTH_DEVICE}/tracker_data/${call}?${period(days)}`
    const ours = { pid, url: `${url}${path}`, headers: { authorization: `Bearer ${token}` } }
    return compareRates({ ours, floor: await lab.floorOf(ours.url, ours.headers) })
  },
})

const firstPage = { id: 'page', name: 'first page', call: '' } as const

export const history: Row[] = [historyAnswer({ ...firstPage, days: 1, goal: 0.05 }), historyAnswer({ ...firstPage, days: 30, goal: 0.02 })]

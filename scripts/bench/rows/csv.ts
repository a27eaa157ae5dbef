import { compareRates } from '#scripts/bench/measure.ts'
import { atLeast, type Row } from '#scripts/bench/row.ts'
import { MONTH_DEVICE, period } from '#scripts/bench/servers/bench-data.ts'

export const csv: Row[] = [
  {
    id: 'C0',
    name: 'csv of a day',
    floor: 'node:http, same bytes',
    goal: atLeast(0.04),
    async measure(lab) {
      const { url, pid, token } = await lab.portal()
      const headers = { authorization: `Bearer ${token}` }
      const ours = { pid, headers, url: `${url}/devices/${MONTH_DEVICE}/tracker_data/export_csv/?${period(1)}` }
      return compareRates({ ours, floor: await lab.floorOf(ours.url, headers) })
    },
  },
]

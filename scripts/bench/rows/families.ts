import type { Families } from '#scripts/bench/options.ts'
import type { Row } from '#scripts/bench/row.ts'
import { csv } from './csv.ts'
import { geo } from './geo.ts'
import { historyMonth } from './history-month.ts'
import { history, historyTrack } from './history-track.ts'
import { http } from './http.ts'
import { ingestRows } from './ingest.ts'
import { live } from './live.ts'
import { mockServer } from './mock-server.ts'
import { store } from './store.ts'

const NEEDS_BROWSER = 'needs a browser: npm run bench:web'

const browser: Row[] = [
  { id: 'B2', name: 'a track of 100,000 points: drawing, zooming in', omitted: NEEDS_BROWSER },
  { id: 'B3', name: 'memory of a track of 100,000 points', omitted: NEEDS_BROWSER },
  {
    id: 'B4',
    name: 'bytes of the map beside maplibre-gl',
    omitted: 'maplibre-gl is not installed; the bytes of each page are budgets of npm run check',
  },
]

/** All rows, by family; each file of rows is listed here. */
export const families: Families = {
  http,
  store,
  history: [...history, ...historyTrack, ...historyMonth],
  csv,
  ingest: ingestRows,
  live,
  geo,
  browser,
  mock: mockServer,
}

import { browser } from '#scripts/bench/rows/browser.ts'
import { csv } from '#scripts/bench/rows/csv.ts'
import { geo } from '#scripts/bench/rows/geo.ts'
import { history } from '#scripts/bench/rows/history.ts'
import { historyMonth } from '#scripts/bench/rows/history-month.ts'
import { http } from '#scripts/bench/rows/http.ts'
import { ingestRows } from '#scripts/bench/rows/ingest.ts'
import { live } from '#scripts/bench/rows/live.ts'
import { mockServer } from '#scripts/bench/rows/mock-server.ts'
import { store } from '#scripts/bench/rows/store.ts'
import type { Families } from './options.ts'

/** All rows, by family; a new file of rows has its line here. */
export const families: Families = {
  http,
  store,
  history: [...history, ...historyMonth],
  csv,
  ingest: ingestRows,
  live,
  geo,
  browser,
  mock: mockServer,
}

import type { Families } from '#scripts/bench/options.ts'
import { browser } from './browser.ts'
import { csv } from './csv.ts'
import { geo } from './geo.ts'
import { historyMonth } from './history-month.ts'
import { history, historyTrack } from './history-track.ts'
import { http } from './http.ts'
import { ingestRows } from './ingest.ts'
import { live } from './live.ts'
import { mockServer } from './mock-server.ts'
import { store } from './store.ts'

/** All rows, by family; a new file of rows has its line here. */
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

import type { Families } from '#scripts/bench/options.ts'
import { csv } from './csv.ts'
import { geo } from './geo.ts'
import { history } from './history.ts'
import { http } from './http.ts'
import { ingestRows } from './ingest.ts'
import { live } from './live.ts'
import { mockServer } from './mock-server.ts'
import { store } from './store.ts'

/** All rows, by family; each file of rows is listed here. */
export const families: Families = {
  http,
  store,
  history,
  csv,
  ingest: ingestRows,
  live,
  geo,
  mock: mockServer,
}

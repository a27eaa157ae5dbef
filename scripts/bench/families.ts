import { csv } from '#scripts/bench/rows/csv.ts'
import { history } from '#scripts/bench/rows/history.ts'
import { http } from '#scripts/bench/rows/http.ts'
import { ingestRows } from '#scripts/bench/rows/ingest.ts'
import { mockServer } from '#scripts/bench/rows/mock-server.ts'
import type { Families } from './options.ts'

/** All rows, by family; a new file of rows has its line here. */
export const families: Families = { http, history, csv, ingest: ingestRows, mock: mockServer }

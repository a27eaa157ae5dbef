import { openSqlite } from '#db/sqlite/open.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { momentsFrom } from '#server/mock/seed/records/moments.ts'
import { buildTemplate } from './template.ts'

export const ANCHOR = new Date('2026-03-02T09:00:00Z')
export const at = momentsFrom(ANCHOR)

let template: Promise<Buffer> | undefined

export async function openSeeded() {
  template ??= buildTemplate({ anchor: ANCHOR, seed: 1, city: await openTestCity() })
  return openSqlite(await template)
}

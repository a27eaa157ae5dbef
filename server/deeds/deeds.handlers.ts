import type { deeds as contract, Deed } from '#contracts/operator/deeds.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Handlers } from '#server/http/serve.ts'
import { formatPageEnd, parsePageEnd } from '#server/lib/pages/page-end.ts'
import { type DeedRow, listDeeds } from './deeds.store.ts'

const PAGE_SIZE = 100

export const presentDeed = ({ id, at, kind, who, subject, detail }: DeedRow): Deed => ({
  id,
  at: formatInstant(at),
  kind,
  who,
  subject,
  detail,
})

export const deeds: Handlers<typeof contract> = {
  async list({ query: { before, ...filter } }, { db }) {
    const rows = await listDeeds(db.read, { ...filter, before: parsePageEnd(before) }, PAGE_SIZE + 1)
    const page = rows.slice(0, PAGE_SIZE)
    const last = page.at(-1)
    const next = last && rows.length > PAGE_SIZE ? formatPageEnd(filter.sort?.endsWith('who') ? last.who : last.id, last.id) : null
    return { deeds: page.map(presentDeed), next }
  },
}

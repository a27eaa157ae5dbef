import type { deeds as contract, Deed } from '#contracts/operator/deeds.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Handlers } from '#server/http/serve.ts'
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
    const rows = await listDeeds(db.read, { ...filter, ...(before !== undefined && { before: Number(before) }) }, PAGE_SIZE + 1)
    const page = rows.slice(0, PAGE_SIZE)
    return { deeds: page.map(presentDeed), next: rows.length > PAGE_SIZE ? String(page.at(-1)!.id) : null }
  },
}

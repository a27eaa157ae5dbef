import type { operatorTrackers as contract } from '#contracts/operator/trackers.ts'
import type { Handlers } from '#server/http/serve.ts'
import { formatPageEnd, parsePageEnd } from '#server/lib/pages/page-end.ts'
import { customerNumber, nameOf, presentTrackers } from '#server/operator/customers/customers.ts'
import { describeAccounts } from '#server/operator/customers/search.store.ts'
import { listOwnedTrackers } from './trackers.store.ts'

const PAGE_SIZE = 50

export const operatorTrackers: Handlers<typeof contract> = {
  async list({ query: { search, sort, after } }, context) {
    const { read } = context.db
    const rows = await listOwnedTrackers(read, { search: search?.trim(), sort, after: parsePageEnd(after) }, PAGE_SIZE + 1)
    const page = rows.slice(0, PAGE_SIZE)
    const last = page.at(-1)
    const shown = await presentTrackers(context, page)
    const accounts = await describeAccounts(
      read,
      page.map(({ device }) => device.accountId),
    )
    const trackers = page.map(({ device: { accountId: account } }, index) => {
      const owner = accounts.get(account)?.owner
      return {
        ...shown[index]!,
        account,
        number: customerNumber(account),
        owner: owner ? { name: nameOf(owner), email: owner.email } : null,
      }
    })
    const isMore = rows.length > PAGE_SIZE
    const endOf = ({ device: { id, createdAt }, lowerName }: (typeof page)[number]) =>
      formatPageEnd(sort?.endsWith('name') ? lowerName : createdAt.getTime(), id)
    return { trackers, next: last && isMore ? endOf(last) : null }
  },
}

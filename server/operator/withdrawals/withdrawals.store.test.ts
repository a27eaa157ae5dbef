import { expect, test } from 'vitest'
import { explainQueries, openTestDb } from '#server/test/test-database.ts'
import { selectWithdrawals } from './withdrawals.store.ts'

test('each page of the withdrawals reads an index, not the whole table', async () => {
  const db = await openTestDb('family')
  const after = { value: '1772442000000', key: '7' }
  const plans = await explainQueries(db, [
    selectWithdrawals(db.read, {}, 50),
    selectWithdrawals(db.read, { after }, 50),
    selectWithdrawals(db.read, { outcome: 'refund' }, 50),
    selectWithdrawals(db.read, { outcome: 'refund', after }, 50),
    selectWithdrawals(db.read, { sort: 'received', after }, 50),
  ])
  expect(plans.map((plan) => /withdrawals_by_\w+/.exec(plan)?.[0])).toEqual([
    'withdrawals_by_time',
    'withdrawals_by_time',
    'withdrawals_by_outcome',
    'withdrawals_by_outcome',
    'withdrawals_by_time',
  ])
  expect(plans.filter((plan) => /USE TEMP B-TREE|Seq Scan/.test(plan))).toEqual([])
  await db.close()
})

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/** Files with code that may block every other writer: rare commands of the operator, and the day of a new price. */
const ALLOWED = {
  'server/billing/price-changes/price-jobs.ts': 1,
  'server/deeds/do-deed.ts': 1,
  'server/operator/prices/prices.ts': 1,
  'server/recovery/after-restore.ts': 2,
  'server/recovery/apply-endings.ts': 8,
  'server/security/open-sessions.ts': 1,
}

const isProduct = (file: string) => file.endsWith('.ts') && !/(^|\/)(mock|test)\/|\/test-[^/]*$|\.test\.ts$/.test(file)

test('no transaction of the product locks everything, except rare commands of the operator and a new price', () => {
  const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).map((file) => path.join('server', file))
  const product = files.filter(isProduct)
  const counted = product.map((file) => [file, readFileSync(file, 'utf8').split("'everything'").length - 1] as const)
  expect(product.length).toBeGreaterThan(250)
  expect(Object.fromEntries(counted.filter(([, count]) => count > 0))).toEqual(ALLOWED)
})

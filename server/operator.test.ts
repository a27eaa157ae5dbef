import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createInstallation } from '#server/test/test-process.ts'

test('the operator sets the prices of a new server, reads them back, and sees how to use the program', async () => {
  using installed = await createInstallation()
  const run = (...args: string[]) => installed.start('server/operator.ts', {}, args).ended
  const plan = { id: 'eur-6m', type: 'plan', name: '6 months', currency: 'eur', unitAmount: 899, taxBehavior: 'inclusive' }
  const list = [{ ...plan, interval: 'month', intervalCount: 6, months: 6, extra: 0 }]
  const file = path.join(installed.data, 'prices.json')
  writeFileSync(file, JSON.stringify(list))
  expect(await run('prices', file)).toMatchObject({ code: 0, err: '', out: expect.stringContaining('1 prices are on sale.') })
  expect(JSON.parse((await run('prices')).out)).toEqual(list)
  expect(await run('invoices')).toMatchObject({ code: 0, out: '' })
  expect(await run('mails')).toMatchObject({ code: 0, out: '' })
  expect(await run('mails', '--again')).toMatchObject({ code: 0, out: '0 mails are sent again by the running server.\n' })
  expect(await run('sell')).toMatchObject({ code: 1, err: expect.stringContaining('Usage: node dist/server/operator.js COMMAND') })
})

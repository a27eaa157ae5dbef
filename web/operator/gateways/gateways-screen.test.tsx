import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openConsole } from '#web/test/open-console.ts'

test('a gateway is made, its key is shown once, and it is ended after a confirmation', async () => {
  await using page = await openConsole('/operator/gateways', { role: 'stock' })
  const { screen, user } = page
  await user.click(await screen.findByRole('button', { name: 'Make a gateway' }))
  const make = within(await screen.findByRole('dialog', { name: 'Make a gateway' }))
  await user.type(make.getByRole('textbox', { name: /Name/ }), 'LoRa north')
  await user.click(make.getByRole('button', { name: 'Make a gateway' }))
  const fresh = within(await screen.findByRole('dialog', { name: 'New key: LoRa north' }))
  const key = fresh.getByText(/^[0-9a-f]{40}$/).textContent
  await user.click(fresh.getByRole('button', { name: 'Done' }))
  expect(screen.queryByText(key)).toBeNull()
  await user.click(await screen.findByRole('button', { name: 'End the gateway “LoRa north”' }))
  const end = within(await screen.findByRole('dialog', { name: 'End the gateway “LoRa north”' }))
  await user.click(end.getByRole('button', { name: 'End' }))
  await waitFor(() => expect(screen.queryByRole('rowheader', { name: 'LoRa north' })).toBeNull())
})

import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FEATURES, OPTIONAL } from '#contracts/reader/features.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { deviceKeyKeys } from '#web/phones/device-keys.queries.ts'
import { withLive } from '#web/test/live.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'

const open = (as = 'dario@example.com', path = '/') => openAs(as, path, { features: [...FEATURES] })

test('an account without trackers chooses what to find, and one tap on a kind opens the next step', async () => {
  await using page = await open()
  expect(await screen.findByRole('heading', { name: 'What do you want to find?' })).toBeVisible()
  expect(screen.getAllByRole('listitem')).toHaveLength(7)
  await page.user.click(screen.getByRole('link', { name: /^Dog/ }))
  expect(await screen.findByRole('heading', { name: 'How does it report?' })).toHaveFocus()
  await page.user.click(screen.getByRole('link', { name: 'Dog' }))
  expect(await screen.findByRole('heading', { name: 'What do you want to find?' })).toBeVisible()
})

test('a tracker is added by the number on its label, with the chosen kind', async () => {
  await using page = await open('dario@example.com', '/?start=report&kind=cat')
  const number = await screen.findByRole('textbox', { name: 'ID or S/N' })
  await page.user.type(number, '9000000001')
  expect(number).toHaveValue('90000000-01')
  await page.user.click(screen.getByRole('button', { name: 'Add tracker' }))
  expect(await screen.findByRole('article', { name: 'Cat' })).toBeVisible()
  const { body } = await page.portal.call('dario@example.com', 'GET', '/devices/?type=tracker')
  expect(body).toMatchObject([{ identifier: '9000000001', kind: 'cat', name: 'Cat' }])
})

test('letters in the field for the number are read as an S/N', async () => {
  await using page = await open('dario@example.com', '/?start=report&kind=other')
  await page.user.type(await screen.findByRole('textbox', { name: 'ID or S/N' }), 'factory-000 07')
  await page.user.click(screen.getByRole('button', { name: 'Add tracker' }))
  expect(await screen.findByRole('article', { name: 'My tracker' })).toBeVisible()
})

test('a number that is no tracker number is refused at its field', async () => {
  await using page = await open('dario@example.com', '/?start=report&kind=bike')
  const number = await screen.findByRole('textbox', { name: 'ID or S/N' })
  await page.user.type(number, '1234')
  await page.user.click(screen.getByRole('button', { name: 'Add tracker' }))
  expect(await screen.findByText('Invalid ID')).toBeVisible()
  expect(number).toHaveFocus()
})

test('a phone gets a tracker and a key in one tap, and its first message opens the map', async () => {
  await using portal = await startPortal()
  const features = [...FEATURES]
  const { user } = await renderAt('/?start=report&kind=person', {
    portal: withLive(portal, 'dario'),
    as: 'dario@example.com',
    config: { features },
  })
  await user.click(await screen.findByRole('button', { name: /^A phone/ }))
  expect(await screen.findByRole('heading', { name: 'Connect the phone' })).toBeVisible()
  expect(screen.getByText('Waiting for the first message…')).toBeVisible()
  const { body } = await portal.call('dario@example.com', 'GET', '/devices/?type=tracker')
  expect(body).toMatchObject([{ name: 'My phone', kind: 'person' }])
  const made = queryClient.getQueryData<{ key: string }>(deviceKeyKeys.made(body[0].id))
  const at = Math.floor(portal.clock.now().getTime() / 1000)
  const report = await portal.fetch(`/ingest/osmand?id=${made?.key}&lat=-34.9&lon=-56.15&accuracy=10&timestamp=${at}`)
  expect(report.status).toBe(200)
  expect(await screen.findByRole('article', { name: 'My phone' })).toBeVisible()
  expect(window.location.pathname).toBe(`/trackers/${body[0].id}`)
})

test('"Later" shows the empty map, which leads back to the question', async () => {
  await using page = await open()
  await page.user.click(await screen.findByRole('link', { name: 'Later' }))
  expect(await screen.findByText('No tracker yet')).toBeVisible()
  await page.user.click(screen.getByRole('link', { name: 'Add a tracker' }))
  expect(await screen.findByRole('heading', { name: 'What do you want to find?' })).toBeVisible()
})

test.each(['member@pro.example.com', 'support@example.com'])('%s cannot add trackers, and sees no first steps', async (email) => {
  await using _ = await open(email, '/?start=kind')
  expect(await screen.findByRole('region', { name: 'List of trackers' })).toBeVisible()
  expect(screen.queryByText('What do you want to find?')).toBeNull()
})

test('a backend without identifiers for phones offers trackers with a number only', async () => {
  await using _ = await openAs('dario@example.com', '/?start=report&kind=dog', { features: [...OPTIONAL] })
  expect(await screen.findByRole('textbox', { name: 'ID or S/N' })).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('button', { name: /^A phone/ })).toBeNull())
})

import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { setConfig } from '#web/lib/config.ts'
import { openCard } from '#web/test/card.tsx'
import { openAs } from '#web/test/open-as.tsx'
import { CONFIG } from '#web/test/sample-config.ts'

const [REX, MISTY] = [1, 2]
const ALICE = 'alice@example.com'
const FULL = 'You cannot connect more than 5 phones per tracker'
type Key = { id: number; label: string; key: string }

/** Opens the phones dialog of a tracker after creating keys named `before`. */
async function openPhones(id: number, before: string[] = []) {
  const page = await openCard(id)
  setConfig({ ...CONFIG, features: [...FEATURES] })
  const keys = `/devices/${id}/keys/`
  const made: Key[] = []
  for (const label of before) made.push((await page.portal.call(ALICE, 'POST', keys, { label })).body)
  await page.user.click(await page.card.findByRole('button', { name: 'Connect a phone' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^Connect a phone to/ }))
  return {
    ...page,
    dialog,
    made,
    stored: async () => (await page.portal.call(ALICE, 'GET', keys)).body as Key[],
    async create(label = '') {
      const field = await dialog.findByRole('textbox', { name: /^Name of the phone/ })
      if (label) await page.user.type(field, label)
      await page.user.click(dialog.getByRole('button', { name: 'Connect' }))
      return await dialog.findByRole('img', { name: 'QR code for Traccar Client' })
    },
    value: (label: string) =>
      dialog
        .getByRole('button', { name: `Copy: ${label}` })
        .closest('li')
        ?.querySelector('code')?.textContent ?? '',
  }
}

describe('connecting a phone', () => {
  test('Traccar Client is set up by a code and values that make the phone report as the tracker', async () => {
    await using page = await openPhones(MISTY)
    await page.create('My phone')
    expect(page.dialog.getByText(/^This code and its key are shown only now/)).toBeVisible()
    expect(page.value('Server URL')).toMatch(/^http:\/\/localhost(:\d+)?\/ingest\/osmand$/)
    const query = new URLSearchParams({ id: page.value('Device identifier'), lat: '-34.9', lon: '-56.15' })
    expect((await page.portal.fetch(`${new URL(page.value('Server URL')).pathname}?${query}`)).status).toBe(200)
    const { body } = await page.portal.call(ALICE, 'GET', `/devices/${MISTY}/tracker_status/`)
    expect(body.last_position).toMatchObject({ lat: -34.9, lng: -56.15 })
  })

  test('OwnTracks is set up with user name and password', async () => {
    await using page = await openPhones(MISTY)
    await page.create()
    await page.user.click(page.dialog.getByRole('radio', { name: 'OwnTracks' }))
    expect(page.dialog.getByRole('img', { name: 'QR code for OwnTracks' })).toBeVisible()
    expect(page.dialog.getByRole('link', { name: 'Open in OwnTracks' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^owntracks:\/\/\/config\?/),
    )
    const authorization = `Basic ${btoa(`${page.value('Username')}:${page.value('Password')}`)}`
    const body = JSON.stringify({ _type: 'location', lat: -34.9, lon: -56.15, tst: page.portal.clock.now().getTime() / 1000 })
    const answer = await page.portal.fetch(new URL(page.value('Server URL')).pathname, { method: 'POST', headers: { authorization }, body })
    expect([answer.status, await answer.json()]).toEqual([200, []])
  })

  test('Overland is set up with a token with which its batches are accepted', async () => {
    await using page = await openPhones(MISTY)
    await page.create('iPhone')
    await page.user.click(page.dialog.getByRole('radio', { name: 'Overland' }))
    expect(page.dialog.getByRole('link', { name: 'Open in Overland' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^overland:\/\/setup\?/),
    )
    const timestamp = page.portal.clock.now().toISOString()
    const locations = [{ type: 'Feature', geometry: { type: 'Point', coordinates: [-56.15, -34.9] }, properties: { timestamp } }]
    const headers = { authorization: `Bearer ${page.value('Access token')}` }
    const init = { method: 'POST', headers, body: JSON.stringify({ locations }) }
    const answer = await page.portal.fetch(new URL(page.value('Server URL')).pathname, init)
    expect([answer.status, await answer.json()]).toEqual([200, { result: 'ok' }])
  })

  test('the steps for OwnTracks on an iPhone begin with allowing external configuration', async () => {
    await using page = await openPhones(MISTY)
    await page.create()
    await page.user.click(page.dialog.getByRole('radio', { name: 'OwnTracks' }))
    expect(page.dialog.getByText(/Allow external configuration/)).toBeVisible()
  })

  test('every URL for another app makes that app report, and the Home Assistant configuration can be copied', async () => {
    await using page = await openPhones(MISTY)
    await page.create()
    await page.user.click(page.dialog.getByRole('radio', { name: 'Other app' }))
    const seconds = String(page.portal.clock.now().getTime() / 1000)
    const values = {
      '%LAT': '-34.9',
      '%LON': '-56.15',
      '%TIMESTAMP': seconds,
      '%ACC': '5',
      '{0}': '-34.9',
      '{1}': '-56.15',
      '{2}': `${seconds}000`,
      '{3}': '5',
    }
    for (const label of ['GPSLogger', 'PhoneTrack', 'OsmAnd', 'Any other']) {
      const url = Object.entries(values).reduce((text, [placeholder, value]) => text.replace(placeholder, value), page.value(label))
      expect((await page.portal.fetch(url.slice(new URL(url).origin.length))).status).toBe(200)
      const { body } = await page.portal.call(ALICE, 'GET', `/devices/${MISTY}/tracker_status/`)
      expect(body.last_position).toMatchObject({ lat: -34.9, lng: -56.15 })
    }
    await page.user.click(page.dialog.getByRole('button', { name: 'Copy: Home Assistant' }))
    expect(await navigator.clipboard.readText()).toMatch(/^rest_command:/)
  })

  test('the setup shows when messages arrive, and why one is rejected', async () => {
    await using page = await openPhones(MISTY)
    await page.create()
    expect(await page.dialog.findByText('Waiting for the first message…')).toHaveAttribute('role', 'status')
    const url = `/ingest/osmand?id=${page.value('Device identifier')}`
    await page.portal.call(null, 'GET', `${url}&lat=91&lon=0`)
    expect(await page.dialog.findByText('Last message now: not understood. Its coordinates cannot be read.')).toBeVisible()
    await page.portal.call(null, 'GET', `${url}&lat=-34.9&lon=-56.15`)
    expect(await page.dialog.findByText('Last message now: read')).toBeVisible()
  })

  test('a key is shown only once', async () => {
    await using page = await openPhones(MISTY)
    await page.create('My phone')
    await page.user.click(page.dialog.getByRole('button', { name: 'Done' }))
    expect(await page.dialog.findByText('My phone')).toBeVisible()
    expect(page.dialog.queryByRole('img')).toBeNull()
    expect(screen.getByRole('dialog').textContent).not.toMatch(/[0-9a-f]{40}/)
  })

  test('a copied value is in the clipboard and confirmed', async () => {
    await using page = await openPhones(MISTY)
    await page.create()
    await page.user.click(page.dialog.getByRole('button', { name: 'Copy: Device identifier' }))
    expect(await page.dialog.findByText('Copied')).toHaveAttribute('role', 'status')
    expect(await navigator.clipboard.readText()).toMatch(/^[0-9a-f]{40}$/)
  })

  test('with five keys a message replaces the form', async () => {
    await using page = await openPhones(MISTY, ['a', 'b', 'c', 'd', 'e'])
    expect(await page.dialog.findByText(FULL)).toBeVisible()
    expect(page.dialog.queryByRole('textbox')).toBeNull()
  })

  test('the server refuses a key when the fifth was created elsewhere meanwhile, with the same message', async () => {
    await using page = await openPhones(MISTY, ['a', 'b', 'c', 'd'])
    await page.dialog.findByRole('textbox')
    await page.portal.call(ALICE, 'POST', `/devices/${MISTY}/keys/`, {})
    await page.user.click(page.dialog.getByRole('button', { name: 'Connect' }))
    await waitFor(() => expect(page.dialog.getAllByRole('listitem')).toHaveLength(5))
    expect(page.dialog.getByText(FULL)).toBeVisible()
  })
})

describe('connected phones', () => {
  test('each phone shows when it last reported', async () => {
    await using page = await openPhones(REX, ['Old one', ''])
    const rows = within(await page.dialog.findByRole('list', { name: 'Connected phones' }))
    expect(rows.getAllByRole('listitem').map((row) => row.textContent)).toEqual(['PhoneNot used yet', 'Old oneNot used yet'])
    await page.portal.call(null, 'GET', `/ingest/osmand?id=${page.made[0]?.key}`)
    await page.user.click(page.dialog.getByRole('button', { name: 'Close' }))
    await page.user.click(page.card.getByRole('button', { name: 'Connect a phone' }))
    expect(await screen.findByText('Last message now: read, without a position')).toBeVisible()
  })

  test('the message of a gateway has a row without a key', async () => {
    await using page = await openPhones(REX)
    await page.portal.call(null, 'GET', '/ingest/osmand?id=1000000001', undefined, { 'x-device-key': 'demo-device-key' })
    await page.user.click(page.dialog.getByRole('button', { name: 'Close' }))
    await page.user.click(page.card.getByRole('button', { name: 'Connect a phone' }))
    expect((await screen.findByText('Gateway')).closest('li')).toHaveTextContent('GatewayLast message now: read, without a position')
  })

  test('a phone disconnected after a confirmation can no longer report', async () => {
    await using page = await openPhones(REX, ['My phone'])
    await page.user.click(await page.dialog.findByRole('button', { name: 'Disconnect: My phone' }))
    await page.user.click(page.dialog.getByRole('button', { name: 'Cancel' }))
    expect(page.changes()).toEqual([])
    await page.user.click(page.dialog.getByRole('button', { name: 'Disconnect: My phone' }))
    await page.user.click(page.dialog.getByRole('button', { name: 'Disconnect' }))
    await waitFor(() => expect(page.dialog.queryByText('My phone')).toBeNull())
    expect(await page.stored()).toEqual([])
    expect((await page.portal.call(null, 'GET', `/ingest/osmand?id=${page.made[0]?.key}`)).status).toBe(401)
  })
})

test('support can see the phones but not connect any', async () => {
  await using page = await openCard(REX, 'support@example.com')
  expect(await page.card.findByText('Your role lets you view everything but change nothing.')).toBeVisible()
  expect(page.card.queryByRole('button', { name: 'Connect a phone' })).toBeNull()
})

test('connecting a phone requires the password if the sign-in is older than ten minutes', async () => {
  await using page = await openPhones(MISTY)
  const { clock } = page.portal
  clock.set({ at: new Date(clock.now().getTime() + 10 * 60_000) })
  await page.user.click(await page.dialog.findByRole('button', { name: 'Connect' }))
  const confirm = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }))
  await page.user.type(confirm.getByLabelText(/^Password/, { selector: 'input' }), 'wrong')
  await page.user.click(confirm.getByRole('button', { name: 'Confirm' }))
  expect(await confirm.findByText('The password you entered is incorrect.')).toBeVisible()
  await page.user.clear(confirm.getByLabelText(/^Password/, { selector: 'input' }))
  await page.user.type(confirm.getByLabelText(/^Password/, { selector: 'input' }), 'Demo-1234')
  await page.user.click(confirm.getByRole('button', { name: 'Confirm' }))
  expect(await page.dialog.findByRole('img', { name: 'QR code for Traccar Client' })).toBeVisible()
  expect(await page.stored()).toHaveLength(1)
})

test("a cancelled confirmation creates nothing and keeps the form's values", async () => {
  await using page = await openPhones(MISTY)
  const { clock } = page.portal
  clock.set({ at: new Date(clock.now().getTime() + 10 * 60_000) })
  await page.user.type(await page.dialog.findByRole('textbox', { name: /^Name of the phone/ }), 'Mine')
  await page.user.click(page.dialog.getByRole('button', { name: 'Connect' }))
  const confirm = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }))
  await page.user.click(confirm.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirm that it is you' })).toBeNull())
  expect(page.dialog.getByRole('textbox', { name: /^Name of the phone/ })).toHaveValue('Mine')
  expect(await page.stored()).toEqual([])
})

test('the dialog of phones opens again from its address, as after a tablet was turned', async () => {
  await using page = await openAs(ALICE, `/trackers/${REX}?sheet=phones`, { features: [...FEATURES] })
  expect(await page.screen.findByRole('dialog', { name: 'Connect a phone to Rex' })).toBeVisible()
})

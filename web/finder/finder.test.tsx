import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { session } from '#web/lib/session.ts'
import { NO_PADDING } from '#web/map/camera.ts'
import { openAs } from '#web/test/open-as.tsx'
import { readHeading } from './compass.tsx'
import { findEdge } from './finder-map.tsx'

const ALICE = 'alice@example.com'

type Watcher = { success: PositionCallback; failure: PositionErrorCallback | null | undefined }
let watchers: Watcher[] = []

const send = ({ lat, lng }: LatLng, accuracy = 10) =>
  act(() => {
    const coords = { latitude: lat, longitude: lng, accuracy, altitude: null, altitudeAccuracy: null, heading: null, speed: null }
    for (const { success } of watchers) success({ coords: { ...coords, toJSON: () => coords }, timestamp: 0, toJSON: () => coords })
  })

beforeEach(() => {
  watchers = []
  const geolocation = {
    watchPosition: (success: PositionCallback, failure?: PositionErrorCallback | null) => watchers.push({ success, failure }),
    clearWatch: () => void watchers.splice(0),
    getCurrentPosition: () => undefined,
  }
  Object.defineProperty(navigator, 'geolocation', { value: geolocation, configurable: true })
})
// The user's position belongs to a session.
afterEach(() => session.end())

const openRex = async () => {
  const page = await openAs(ALICE, '/trackers/1')
  const card = within(await screen.findByRole('article', { name: 'Rex' }))
  return { page, card, ask: await card.findByRole('button', { name: 'How far is it from me?' }) }
}

describe('the finder', () => {
  test("the user's position is requested only on a tap, and then distance and direction are shown", async () => {
    const { page, card, ask } = await openRex()
    await using _ = page
    expect(watchers).toHaveLength(0)
    await page.user.click(ask)
    expect(watchers).toHaveLength(1)
    const at = (await page.portal.call(ALICE, 'GET', '/devices/1/')).body.tracker_status.last_position
    send({ lat: at.lat - 0.02, lng: at.lng - 0.024 })
    expect(card.getByText('3.1 km from you, north-east')).toBeVisible()
    expect(screen.getByText('3.1 km')).toBeVisible()
    expect(screen.getByRole('img', { name: 'Your position, ±10 m' })).toBeInTheDocument()
    expect(card.queryByRole('button', { name: 'Compass' })).toBeNull()
  })

  test('near the tracker a compass fills the screen, with a note if the device has no sensor', async () => {
    const { page, card, ask } = await openRex()
    await using _ = page
    await page.user.click(ask)
    const at = (await page.portal.call(ALICE, 'GET', '/devices/1/')).body.tracker_status.last_position
    send({ lat: at.lat + 0.001, lng: at.lng })
    await page.user.click(card.getByRole('button', { name: 'Compass' }))
    const compass = within(screen.getByRole('dialog', { name: 'Rex' }))
    expect(compass.getByText('111 m from you, south')).toBeVisible()
    await waitFor(() => expect(compass.getByRole('alert')).toHaveTextContent('This device has no compass'))
    await page.user.click(compass.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('a denied position leaves the button, with a message that says why', async () => {
    const { page, card, ask } = await openRex()
    await using _ = page
    await page.user.click(ask)
    act(() => {
      for (const { failure } of [...watchers])
        failure?.({ code: 1, message: '', PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3 })
    })
    expect(await screen.findByText(/^This page may not see your position/)).toBeVisible()
    expect(card.getByRole('button', { name: 'How far is it from me?' })).toBeEnabled()
  })

  test("the card links to the phone's maps app and copies the coordinates", async () => {
    const { page, card } = await openRex()
    await using _ = page
    expect(card.getByRole('link', { name: 'Directions' })).toHaveAttribute(
      'href',
      expect.stringMatching(/destination=-34\.\d{6},-56\.\d{6}$/),
    )
    await page.user.click(card.getByRole('button', { name: 'Copy coordinates' }))
    expect(await navigator.clipboard.readText()).toMatch(/^-34\.\d{6},-56\.\d{6}$/)
  })
})

test.each([
  { state: 'at rest', id: 2, first: 'Directions' },
  { state: 'moving', id: 1, first: 'Follow on the map' },
  { state: 'in lost mode', id: 12, first: 'Find it' },
  { state: 'reported stolen', id: 11, first: 'Find it' },
  { state: 'without a subscription', id: 9, first: /^Renew from/ },
])('the card of a tracker that is $state leads with what helps then, beside Share', async ({ id, first }) => {
  await using _ = await openAs(ALICE, `/trackers/${id}`)
  const card = within(await screen.findByRole('article'))
  const share = await card.findByRole('button', { name: 'Share' })
  const isNamed = (text: string | null) => (typeof first === 'string' ? text === first : first.test(text ?? ''))
  await waitFor(() => expect(isNamed(share.previousElementSibling!.textContent)).toBe(true))
})

test('a lost tracker is found by a tap that shows the way to it', async () => {
  const page = await openAs(ALICE, '/trackers/11')
  await using _ = page
  const card = within(await screen.findByRole('article'))
  await page.user.click(await card.findByRole('button', { name: 'Find it' }))
  expect(card.getByRole('button', { name: /^Looking for your position/ })).toBeDisabled()
  const at = (await page.portal.call(ALICE, 'GET', '/devices/11/')).body.tracker_status.last_position
  send({ lat: at.lat - 0.02, lng: at.lng - 0.024 })
  expect(card.getByText('3.1 km from you, north-east')).toBeVisible()
  expect(card.getByRole('button', { name: 'Find it' })).toBeEnabled()
})

test('the card of a stolen tracker links to its theft file', async () => {
  await using _ = await openAs(ALICE, '/trackers/11')
  const strip = await screen.findByRole('link', { name: /^Theft report open since Mar 1, 2026/ })
  expect(strip).toHaveAttribute('href', '/app/theft_file?id=11')
})

test('an ended subscription is renewed from the card, at a price per month', async () => {
  await using _ = await openAs(ALICE, '/trackers/9')
  expect(await screen.findByRole('link', { name: /^Renew from €1\.04 a month/ })).toHaveAttribute('href', '/subscription?devices=9')
})

describe('the edge of the map', () => {
  const size = { x: 1000, y: 600 }

  test('a tracker in view needs no arrow', () => {
    expect(findEdge({ x: 500, y: 20 }, size, NO_PADDING)).toBeNull()
  })

  test('an arrow is shown where the line to the tracker leaves the map', () => {
    expect(findEdge({ x: 500, y: -1700 }, size, NO_PADDING)).toMatchObject({ x: 500, y: 30, degrees: 0 })
    expect(findEdge({ x: -4500, y: 286 }, size, NO_PADDING)).toMatchObject({ x: 66, y: 286, degrees: -90 })
  })

  test('below the arrow there is space for the credit of the map, in a low window for its row of buttons', () => {
    expect(findEdge({ x: 467, y: 9000 }, size, NO_PADDING)).toMatchObject({ y: 600 - 28 - 30 })
    expect(findEdge({ x: 467, y: 9000 }, size, NO_PADDING, true)).toMatchObject({ y: 600 - 136 - 30 })
  })

  test('an area covered by a card does not count as map', () => {
    expect(findEdge({ x: 200, y: 300 }, size, { ...NO_PADDING, left: 376 })).toMatchObject({ x: 442 })
  })
})

test('a compass reads clockwise from north, even when the screen is rotated', () => {
  const event = (parts: Partial<DeviceOrientationEvent>) =>
    Object.assign(new Event('deviceorientation'), { absolute: false, alpha: null, beta: null, gamma: null }, parts)
  expect(readHeading(event({ absolute: true, alpha: 270 }), 0)).toBe(90)
  expect(readHeading(event({ absolute: true, alpha: 270 }), 90)).toBe(180)
  expect(readHeading(event({ alpha: 270 }), 0)).toBeUndefined()
  expect(readHeading(event({ webkitCompassHeading: 45 }), 0)).toBe(45)
})

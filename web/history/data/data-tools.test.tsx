import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import * as download from '#web/lib/api/download.ts'
import * as config from '#web/lib/config.ts'
import { openAs } from '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'
const [REX, NEW] = [1, 7]

beforeEach(() => void vi.spyOn(config, 'listFeatures').mockReturnValue([...FEATURES]))
afterEach(() => void vi.restoreAllMocks())

const GPX = `<gpx version="1.1"><trk><trkseg>
<trkpt lat="-34.9" lon="-56.1"><time>2026-02-01T12:00:00Z</time></trkpt>
<trkpt lat="-34.91" lon="-56.11"><time>2026-02-01T12:01:00Z</time></trkpt>
<trkpt lat="-34.91" lon="-56.11"></trkpt>
</trkseg></trk></gpx>`
const file = (text: string) => new File([text], 'walk.gpx')

async function openImport(as = ALICE) {
  const page = await openAs(as, `/trackers/${NEW}/history?day=2026-02-01`)
  await page.user.click(await screen.findByRole('button', { name: 'Export or import' }))
  await page.user.click(await screen.findByRole('button', { name: 'Import positions' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Import positions' }))
  return { ...page, dialog, pick: async (text: string) => page.user.upload(await dialog.findByLabelText(/^Choose a file/), file(text)) }
}

describe('exports of a history', () => {
  test('a period, or the chosen trip of it, is exported as GPX, KML or GeoJSON', async () => {
    const saved = vi.spyOn(download, 'saveFile').mockImplementation(() => {})
    await using page = await openAs(ALICE, `/trackers/${REX}/history?day=2026-02-20`)
    await page.user.click(await screen.findByRole('button', { name: 'Export or import' }))
    await page.user.click(await screen.findByRole('button', { name: 'KML' }))
    await waitFor(() => expect(saved).toHaveBeenCalledOnce())
    expect(saved.mock.calls[0]?.[1]).toBe('Rex_2026-02-20_2026-02-20.kml')
    const whole = saved.mock.calls[0]?.[0].length ?? 0
    const legs = await screen.findByRole('list', { name: 'Stops and trips' })
    await page.user.click(within(legs).getAllByRole('button', { name: /km|m walk|Walk/ })[0]!)
    expect(screen.getByRole('radio', { name: 'Chosen trip' })).toBeChecked()
    await page.user.click(screen.getByRole('button', { name: 'KML' }))
    await waitFor(() => expect(saved).toHaveBeenCalledTimes(2))
    expect(saved.mock.calls[1]?.[0].length).toBeLessThan(whole)
  })

  test('last month is exported with three clicks from its history', async () => {
    const saved = vi.spyOn(download, 'saveFile').mockImplementation(() => {})
    await using page = await openAs(ALICE, `/trackers/${REX}/history`)
    await page.user.click(await screen.findByRole('button', { name: 'Export or import' }))
    await page.user.click(await screen.findByRole('radio', { name: 'Last month' }))
    await page.user.click(screen.getByRole('button', { name: 'Export csv' }))
    await waitFor(() => expect(saved).toHaveBeenCalledOnce())
    expect(saved.mock.calls[0]?.[1]).toBe('Rex_2026-02-01_2026-02-28.csv')
    const days = new TextDecoder()
      .decode(saved.mock.calls[0]?.[0])
      .split('\r\n')
      .slice(1, -1)
      .map((row) => row.slice(0, 7))
    expect([...new Set(days)]).toEqual(['2026-02'])
  })
})

describe('importing positions', () => {
  test('a file is previewed with its errors, saved, and undone', async () => {
    await using page = await openImport()
    await page.pick(GPX)
    expect(await page.dialog.findByRole('heading', { name: 'walk.gpx' })).toBeVisible()
    expect(page.dialog.getByText('Positions: 2')).toBeVisible()
    expect(within(page.dialog.getByRole('list', { name: 'Skipped: 1' })).getByRole('listitem')).toHaveTextContent('Line 4No time')
    await page.user.click(page.dialog.getByRole('button', { name: 'Import' }))
    expect(await page.dialog.findByText('Imported, new positions: 2')).toBeVisible()
    expect(await screen.findByRole('list', { name: 'Stops and trips' })).toBeInTheDocument()
    await page.user.click(page.dialog.getByRole('button', { name: 'Undo import' }))
    expect(await page.dialog.findByText('Import undone')).toBeVisible()
    expect(await screen.findByRole('heading', { name: 'No data for this period' })).toBeInTheDocument()
  })

  test('earlier imports are listed and can be undone', async () => {
    await using page = await openImport()
    await page.pick(GPX)
    await page.user.click(await page.dialog.findByRole('button', { name: 'Import' }))
    await page.dialog.findByText('Imported, new positions: 2')
    await page.user.keyboard('{Escape}')
    await page.user.click(page.dialog.getAllByRole('button', { name: 'Close' }).at(-1)!)
    await page.user.click(await screen.findByRole('button', { name: 'Import positions' }))
    await page.user.click(await screen.findByRole('button', { name: 'Undo import: walk.gpx' }))
    expect(await screen.findByText('Import undone')).toBeVisible()
  })

  test.each([
    ['<gpx><trk>', 'This file is damaged and could not be read completely. (Line 1)'],
    ['<!doctype html><html></html>', /^This is a web page/],
    ['{"deviceSettings": []}', /Import Records\.json, Timeline\.json/],
    ['<!DOCTYPE gpx [<!ENTITY a "a">]><gpx/>', 'This file contains a document type definition, which is not accepted. (Line 1)'],
    ['name,type\nx,y\n', /^This file type is not supported\. Supported are GPX/],
    ['<gpx/>', 'This file contains no positions with a time.'],
  ])('%j is refused with its reason, and another file can be chosen', async (text, sentence) => {
    await using page = await openImport()
    await page.pick(text)
    expect(await page.dialog.findByText(sentence)).toBeVisible()
    await page.pick(GPX)
    expect(await page.dialog.findByText('Positions: 2')).toBeVisible()
  })

  test('a truncated file is previewed with what is missing, what was ignored and the skipped lines before the map', async () => {
    await using page = await openImport()
    await page.pick(GPX.replace('</time>', '</time><hr>90</hr>').split('</trkseg>')[0]!)
    expect(await page.dialog.findByText(/^This file ends early\. .*\(Line 5\)$/)).toBeVisible()
    expect(page.dialog.getByText('Not used: hr')).toBeVisible()
    const lines = page.dialog.getByRole('list', { name: 'Skipped: 1' })
    expect(lines.compareDocumentPosition(document.querySelector('.leaflet-container')!)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  })

  test('a file without a readable line is refused with the reason of each line', async () => {
    await using page = await openImport()
    await page.pick('time,lat,lon\nnoon,10.5,20.5\n2026-02-01T10:00:00Z,95,20.5\n')
    expect(await page.dialog.findByText(/^No line of this file could be read/)).toBeVisible()
    const lines = within(page.dialog.getByRole('list', { name: 'Skipped: 2' })).getAllByRole('listitem')
    expect(lines.map(({ textContent }) => textContent)).toEqual(['Line 2Time not readable', 'Line 3Coordinates not valid'])
  })

  test('a user who may not change trackers sees no import', async () => {
    await using page = await openAs('support@example.com', `/trackers/${NEW}/history?day=2026-02-01`)
    await page.user.click(await screen.findByRole('button', { name: 'Export or import' }))
    expect(await screen.findByRole('button', { name: 'GeoJSON' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Import positions' })).toBeNull()
  })
})

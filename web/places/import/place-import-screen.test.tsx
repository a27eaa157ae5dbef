import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { respondWith, withFaults } from '#web/test/faults.ts'
import { openAs } from '#web/test/open-as.tsx'
import { renderAt } from '#web/test/render-at.tsx'
import { startSyncedPortal } from '#web/test/synced-portal.ts'

const ALICE = 'alice@example.com'
const HEADER = 'name,address,type\n'
const GOOD = 'Vet,18 de Julio 1360,other\n'

const csv = (text: string | Uint8Array<ArrayBuffer>) => new File([text], 'my places.csv', { type: 'text/csv' })
const input = () => screen.findByLabelText(/^Choose a csv file/)
const send = () => screen.findByRole('button', { name: 'Import' })
const lines = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

const open = async (as = ALICE) => {
  const page = await openAs(as, '/places/import')
  return {
    ...page,
    pick: async (text: string | Uint8Array<ArrayBuffer>) => page.user.upload(await input(), csv(text)),
    posts: () => page.calls.filter(({ method }) => method === 'POST').map(({ path }) => path),
  }
}

describe('R-1.15 R-2.62 importing places', () => {
  test('the preview is shown first, then valid rows are created and invalid ones listed with reasons', async () => {
    await using page = await open()
    await page.pick(`${HEADER}${GOOD}Nowhere,Qwertz 12345,home\nCastle,,castle\n\n"Old",x`)
    const preview = within(await screen.findByRole('region', { name: 'Preview of my places.csv' }))
    expect(preview.getByText('4 rows')).toBeVisible()
    expect(preview.getByText('2 rows have a problem')).toBeVisible()
    expect(preview.getByText('Vet')).toBeVisible()
    expect(page.posts()).toEqual([])
    await page.user.click(await send())
    expect(await screen.findByText('1 place created')).toBeVisible()
    expect(screen.getByRole('heading', { name: '3 rows refused' })).toBeVisible()
    expect(lines()).toEqual([
      'Line 3NowhereQwertz 12345Address not found',
      'Line 4Castlecastle“address” is emptyThe type is not one of the possible ones',
      'Line 6OldxThe line has too few or too many columns',
    ])
    await page.user.click(screen.getByRole('link', { name: 'Show places' }))
    expect(await screen.findByRole('link', { name: 'Vet' })).toBeVisible()
  })

  test('a place that is already there is left out unless the user wants it twice', async () => {
    await using page = await open()
    const [first] = (await page.portal.call(ALICE, 'GET', '/tracker_places/')).body as { name: string; address: string }[]
    const again = `"${first!.name}","${first!.address}",home\n`
    const names = async () => {
      const places = (await page.portal.call(ALICE, 'GET', '/tracker_places/')).body as { name: string }[]
      return places
        .map(({ name }) => name)
        .filter((name) => name === first!.name || name === 'Vet')
        .sort()
    }
    await page.pick(`${HEADER}${again}`)
    expect(await screen.findByRole('checkbox', { name: 'Leave out places that are already there' })).toBeChecked()
    expect(await send()).toBeDisabled()
    await page.user.click(screen.getByRole('button', { name: 'Choose another file' }))
    await page.pick(`${HEADER}${again}${GOOD}Nowhere,Qwertz 12345,home\n`)
    await page.user.click(await send())
    expect(await screen.findByText('1 place created')).toBeVisible()
    expect(lines()).toEqual(['Line 4NowhereQwertz 12345Address not found'])
    expect(await names()).toEqual([first!.name, 'Vet'].sort())
    await page.user.click(screen.getByRole('button', { name: 'Choose another file' }))
    await page.pick(`${HEADER}${again}`)
    await page.user.click(await screen.findByRole('checkbox', { name: 'Leave out places that are already there' }))
    await page.user.click(await send())
    expect(await screen.findByText('1 place created')).toBeVisible()
    expect(await names()).toEqual([first!.name, first!.name, 'Vet'].sort())
  })

  test('a dropped file works like a picked one, and of many rows the first are shown', async () => {
    await using page = await open()
    const zone = (await input()).closest('label')
    if (!zone) throw new Error('nowhere to drop')
    fireEvent.dragOver(zone)
    expect(zone).toHaveAttribute('data-over')
    fireEvent.drop(zone, { dataTransfer: { files: [csv(HEADER + GOOD.repeat(7))] } })
    expect(await screen.findByText('and 2 more rows')).toBeVisible()
    await page.user.click(screen.getByRole('button', { name: 'Choose another file' }))
    expect(await input()).toBeInTheDocument()
    expect(page.posts()).toEqual([])
  })

  test('a row with a problem is in the preview, however far down the file it is', async () => {
    await using page = await open()
    await page.pick(`${HEADER}${GOOD.repeat(7)}Castle,Ellauri 350,castle\n`)
    expect(await screen.findByText('1 row has a problem')).toBeVisible()
    expect(lines().map((line) => line?.slice(0, 9))).toEqual(['Line 2Vet', 'Line 3Vet', 'Line 4Vet', 'Line 5Vet', 'Line 9Cas'])
  })

  test('the sample file can be downloaded and imported', async () => {
    await using page = await open()
    const saved: Blob[] = []
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (blob: Blob) => String(saved.push(blob)), revokeObjectURL() {} }))
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    await page.user.click(await screen.findByRole('button', { name: 'Download a sample file' }))
    expect(click).toHaveBeenCalledOnce()
    click.mockRestore()
    vi.unstubAllGlobals()
    await page.user.upload(await input(), new File(saved, 'places.csv'))
    await page.user.click(await send())
    expect(await screen.findByText('2 places created')).toBeVisible()
    expect(screen.queryByText(/refused/)).toBeNull()
  })
})

describe('rejected import files', () => {
  test.each<[string, string | Uint8Array<ArrayBuffer>, RegExp]>([
    ['a header that is another', 'name,adress\nVet,x', /^The first line must name the columns/],
    ['no row', HEADER, /^The file has no rows/],
    ['too many rows', HEADER + GOOD.repeat(1001), /^The file has more than 1,000 rows/],
    ['more than a megabyte', `${HEADER}${'x'.repeat(1_048_576)}`, /^The file is larger than 1 MB/],
    ['no text', new Uint8Array([0x50, 0x4b, 3, 4, 20, 0]), /^This file is not readable text/],
  ])('%s is rejected without a request', async (_, text, sentence) => {
    await using page = await open()
    await page.pick(text)
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(screen.getByRole('heading', { name: 'my places.csv' })).toBeVisible()
    expect(await input()).toBeInTheDocument()
    expect(page.posts()).toEqual([])
  })

  test('R-3.33 missing and unexpected columns are listed', async () => {
    await using page = await open()
    await page.pick('name,adress\nVet,x')
    await screen.findByText(/^The first line must name/)
    expect(lines()).toEqual(['Missing: address, type', 'Not expected: adress'])
  })

  test('a file without a valid row lists the reasons, and another file can be picked', async () => {
    await using page = await open()
    await page.pick(`${HEADER}Vet,Qwertz 12345,home\n`)
    await page.user.click(await send())
    expect(await screen.findByText('No row could be imported.')).toBeVisible()
    expect(lines()).toEqual(['Line 2VetQwertz 12345Address not found'])
    await page.pick(HEADER + GOOD)
    expect(await send()).toBeEnabled()
  })

  test.each([
    [400, 'csv_header', /^The first line must name/],
    [400, 'too_many_rows', /^The file has more than/],
    [413, 'too_large', /^The file is larger/],
    [400, 'validation_error', /^This file is not readable/],
  ])('a rejection by the server is explained (%i %s)', async (status, code, sentence) => {
    await using portal = await startSyncedPortal()
    const fault = respondWith(status, JSON.stringify({ detail: '', code, missing: ['type'], unexpected: [] }))
    const server = withFaults(portal, { '/tracker_places/import_csv/': fault })
    const { user } = await renderAt('/places/import', { portal: server, as: ALICE })
    await user.upload(await input(), csv(HEADER + GOOD))
    await user.click(await send())
    expect(await screen.findByText(sentence)).toBeVisible()
  })

  test('an upload shows its progress, and a failure keeps the file for another attempt', async () => {
    await using portal = await startSyncedPortal()
    let fail = () => {}
    const failing = () => new Promise<Response>((resolve) => (fail = () => resolve(new Response('{}', { status: 500 }))))
    const server = withFaults(portal, { '/tracker_places/import_csv/': failing })
    const { user } = await renderAt('/places/import', { portal: server, as: ALICE })
    await user.upload(await input(), csv(HEADER + GOOD))
    await user.click(await send())
    expect(await screen.findByText(/^Importing/)).toBeVisible()
    expect(screen.getByRole('progressbar', { name: 'Import' })).toBeVisible()
    fail()
    expect(await screen.findByText('Something went wrong, please try again')).toBeVisible()
    server.mend()
    await user.click(await send())
    expect(await screen.findByText('1 place created')).toBeVisible()
  })

  test('a read-only user sees a note and no file picker', async () => {
    await using _page = await open('support@example.com')
    expect(await screen.findByText('You can view places but not change them.')).toBeVisible()
    await waitFor(() => expect(screen.queryByLabelText(/^Choose a csv file/)).toBeNull())
  })
})

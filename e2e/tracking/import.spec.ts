import { expect, test } from '#e2e/portal.ts'

const GPX = `<gpx version="1.1"><trk><trkseg>
<trkpt lat="-34.9050" lon="-56.1900"><time>2026-02-27T10:00:00Z</time></trkpt>
<trkpt lat="-34.9040" lon="-56.1880"><time>2026-02-27T10:05:00Z</time></trkpt>
<trkpt lat="-34.9030" lon="-56.1860"><time>2026-02-27T10:10:00Z</time></trkpt>
</trkseg></trk></gpx>`

test('a GPX file is imported in the settings, shown in the history, and undone', async ({ page, open, world }) => {
  const api = world.api('alice')
  const period = { not_before: '2026-02-27T09:59:00Z', not_after: '2026-02-27T10:11:00Z' }
  const count = async () => (await api.positions.history({ params: { id: 1 }, query: period })).count
  const before = await count()
  await open('/trackers/1/settings', 'alice')
  await page.getByText('Advanced').click()
  await page.getByRole('button', { name: 'Import positions' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=file]').setInputFiles({ name: 'walk.gpx', mimeType: 'application/gpx+xml', buffer: Buffer.from(GPX) })
  await expect(dialog.getByText('walk.gpx')).toBeVisible()
  await expect(dialog.getByText('Positions: 3')).toBeVisible()
  expect(await count()).toBe(before)
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(dialog.getByText('Imported, new positions: 3')).toBeVisible()
  expect(await count()).toBe(before + 3)
  await dialog.getByRole('button', { name: 'Undo import' }).click()
  await expect.poll(count).toBe(before)
})

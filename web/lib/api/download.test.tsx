import { expect, test, vi } from 'vitest'
import { api } from '#contracts/index.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { createClient } from './api.ts'
import { saveFile } from './download.ts'

test('bytes are saved as a file with a name, without a request', () => {
  const made: Blob[] = []
  const clicked: { href: string; download: string }[] = []
  URL.createObjectURL = (blob) => {
    made.push(blob as Blob)
    return 'blob:portal'
  }
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    clicked.push({ href: this.href, download: this.download })
  })
  saveFile(new Uint8Array([104, 105]), 'Rex_2026-03-01.csv', 'text/csv')
  click.mockRestore()
  expect(clicked).toEqual([{ href: 'blob:portal', download: 'Rex_2026-03-01.csv' }])
  expect([made[0]?.size, made[0]?.type]).toEqual([2, 'text/csv'])
})

test('R-1.15 the file a user picks reaches the server', async () => {
  await using portal = await startPortal()
  const token = await portal.token('alice@example.com')
  const outside = { base: '', fetch: portal.fetch, token: () => token, cookies: () => '', log: { failure() {} }, onLeave: () => false }
  const places = createClient(api.places, () => outside)
  const body = new File(['name,address,type\nVet,Ellauri 350,other\n'], 'places.csv', { type: 'text/csv' })
  const { created, errors } = await places.importCsv({ body })
  expect([created.map(({ name }) => name), errors]).toEqual([['Vet'], []])
})

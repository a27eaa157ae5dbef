import { expect, test, vi } from 'vitest'
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

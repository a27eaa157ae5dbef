import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, test } from '#e2e/portal.ts'

test('npm run gallery takes pictures of a screen on desktop and phone, in light and dark, and of a state that needs interaction', () => {
  const folder = test.info().outputPath('gallery')
  const said = execFileSync(process.execPath, [
    '--import',
    'tsx',
    'scripts/gallery.ts',
    'contacts-add',
    'notFound-inside',
    `--into=${folder}`,
  ])
  const pictures = ['contacts-add', 'notFound-inside'].flatMap((name) =>
    ['desk-dark', 'desk-light', 'phone-dark', 'phone-light'].map((kind) => `${name}-${kind}.png`),
  )
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['index.html', ...pictures]))
  expect(String(said)).toMatch(/\d+ pictures in \d+ s/)
})

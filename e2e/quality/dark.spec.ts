import type { Locator, Page } from '@playwright/test'
import { expect, test } from '#e2e/portal.ts'
import { inTheme } from '#e2e/show.ts'

const paper = (field: Locator) => field.evaluate((element) => getComputedStyle(element).backgroundColor)

/** The background of an element in both themes. */
async function readPapers(page: Page, element: Locator) {
  const papers: string[] = []
  for (const theme of ['light', 'dark'] as const) {
    await inTheme(page, theme)
    papers.push(await paper(element))
  }
  return papers
}

test('in light and dark an empty checkbox and an empty radio button have the background of a text field', async ({ page, open }) => {
  await open('/places/new', 'alice')
  const fields = await readPapers(page, page.getByLabel('Name *'))
  expect(fields[0]).not.toEqual(fields[1])
  expect(await readPapers(page, page.getByRole('checkbox', { name: 'All trackers' }))).toEqual(fields)
  await open('/subscription?devices=2', 'alice')
  expect(await readPapers(page, page.getByRole('radio', { checked: false }).first())).toEqual(fields)
})

test('the page /dev/ui shows each part in light and dark, whatever the theme of the system', async ({ page, open }) => {
  await open('/dev/ui')
  const papersOf = async (theme: 'Light' | 'Dark') => {
    const pane = page.getByRole('group', { name: `Fields: ${theme}` })
    const papers: string[] = []
    for (const element of [pane, pane.getByLabel('Name *'), pane.getByRole('alert').locator('p')]) {
      const [inLight, inDark] = await readPapers(page, element)
      expect(inLight).toBe(inDark)
      papers.push(inLight!)
    }
    return papers
  }
  const [light, dark] = [await papersOf('Light'), await papersOf('Dark')]
  for (const [index, paper] of light.entries()) expect(paper).not.toBe(dark[index])
})

test.describe('forced colours', () => {
  test.use({ forcedColors: 'active' })

  const style = (element: Locator, name: 'outlineStyle' | 'backgroundColor') =>
    element.evaluate((found, property) => getComputedStyle(found)[property], name)

  test('in forced colours the chosen tab, chip and tracker have an outline, and states keep their colours', async ({ page, open }) => {
    await open('/trackers/1?state=moving,rest', 'alice')
    const list = page.getByRole('region', { name: 'List of trackers' })
    const chosen = [
      page.getByRole('navigation').getByRole('link', { name: 'Map' }),
      list.getByRole('button', { name: /^Moving/, pressed: true }),
      list.getByRole('link', { name: /^Rex/ }),
    ]
    for (const element of chosen) expect(await style(element, 'outlineStyle')).toBe('solid')
    expect(await style(list.getByRole('link', { name: /^Misty/ }), 'outlineStyle')).toBe('none')
    const dot = list.getByRole('link', { name: /^Rex/ }).locator('[data-look]').first()
    expect(await style(dot, 'backgroundColor')).not.toBe(await style(page.locator('body'), 'backgroundColor'))
  })
})

import type { Locator } from '@playwright/test'
import { expect, test } from '#e2e/portal.ts'

const paper = (field: Locator) => field.evaluate((element) => getComputedStyle(element).backgroundColor)

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(colorScheme, () => {
    test.use({ colorScheme })

    test('in dark mode an empty checkbox and an empty radio button have the background of a text field', async ({ page, open }) => {
      await open('/places/new', 'alice')
      const field = await paper(page.getByLabel('Name *'))
      expect(await paper(page.getByRole('checkbox', { name: 'All trackers' }))).toBe(field)
      await open('/subscription?devices=2', 'alice')
      expect(await paper(page.getByRole('radio', { checked: false }).first())).toBe(field)
    })
  })

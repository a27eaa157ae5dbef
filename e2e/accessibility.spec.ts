import AxeBuilder from '@axe-core/playwright'
import { expect, test } from './portal.ts'

const screens = [
  { path: '/login' },
  { path: '/login?view=reset_password' },
  { path: '/error' },
  { path: '/nope' },
  { path: '/', who: 'alice' },
  { path: '/', who: 'dario' },
  { path: '/trackers', who: 'alice' },
  { path: '/trackers/1', who: 'alice' },
  { path: '/trackers/1/history', who: 'alice' },
  { path: '/map', who: 'alice' },
  { path: '/pub/trackers?token=5eed0000-0000-4000-8000-000000000001' },
]

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`${colorScheme}`, () => {
    test.use({ colorScheme })
    for (const { path, who } of screens) {
      test(`axe finds nothing serious on ${path}${who ? ` of ${who}` : ''}`, async ({ page, open }) => {
        await open(path, who)
        await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
        await page.waitForLoadState('networkidle').catch(() => undefined)
        const { violations, passes } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
          .analyze()
        expect(passes.length).toBeGreaterThan(5)
        expect(
          violations
            .filter(({ impact }) => impact === 'serious' || impact === 'critical')
            .map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160))]),
        ).toEqual([])
      })
    }
  })
}

import AxeBuilder from '@axe-core/playwright'
import { expect, test } from './portal.ts'

const screens = [
  { path: '/login', ready: 'Sign in' },
  { path: '/login?view=reset_password', ready: /Send|password/ },
  { path: '/error', ready: 'Server error' },
  { path: '/nope', ready: '404 error' },
  { path: '/', who: 'alice', ready: 'Grandpa' },
  { path: '/', who: 'dario', ready: 'No tracker yet' },
  { path: '/trackers', who: 'alice', ready: 'Grandpa' },
  { path: '/trackers/1', who: 'alice', ready: 'Activity today' },
  { path: '/trackers/1/history', who: 'alice', ready: 'Longest stop' },
  { path: '/map', who: 'alice', ready: 'Live' },
  { path: '/pub/trackers?token=5eed0000-0000-4000-8000-000000000001', ready: 'City bike' },
]

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`${colorScheme}`, () => {
    test.use({ colorScheme })
    for (const { path, who, ready } of screens) {
      test(`axe finds nothing serious on ${path}${who ? ` of ${who}` : ''}`, async ({ page, open }) => {
        await open(path, who)
        await expect(page.getByText(ready).first()).toBeVisible()
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

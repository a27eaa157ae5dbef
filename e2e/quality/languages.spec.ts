import { expect, test } from '#e2e/portal.ts'

const cases = [
  { locale: 'de-AT', lang: 'de', title: 'Whereabouts - Anmelden', button: 'Anmelden' },
  { locale: 'ja-JP', lang: 'ja', title: /^Whereabouts - .+/, button: /ログイン|サインイン/ },
  { locale: 'zh-CN', lang: 'en', title: 'Whereabouts - Login', button: 'Sign in' },
] as const

for (const { locale, lang, title, button } of cases) {
  test.describe(locale, () => {
    test.use({ locale })
    test(`R-1.24 R-1.25 a browser in ${locale} gets the portal in ${lang} and loads no other language`, async ({ page, open }) => {
      const words = new Set<string>()
      page.on('request', (request) => /words-/.test(request.url()) && words.add(request.url()))
      await open('/login')
      await expect(page.locator('html')).toHaveAttribute('lang', lang)
      await expect(page).toHaveTitle(title)
      await expect(page.getByRole('button', { name: button })).toBeVisible()
      expect([...words]).toHaveLength(1)
    })
  })
}

test.describe('German', () => {
  test.use({ locale: 'de-DE' })
  test('R-1.26 a German portal is German throughout, map and list included', async ({ page, open }) => {
    await open('/trackers/1', 'alice')
    await expect(page.getByRole('article', { name: 'Rex' })).toBeVisible()
    await expect(page.getByRole('region', { name: /Karte/ })).toBeVisible()
    await expect(page.getByText(/Subscription|Battery|Moving|History/)).toHaveCount(0)
  })
})

test('R-1.26 after a failed download of a language the current one stays, with a message, and the language can be chosen again', async ({
  page,
  open,
}) => {
  await open('/login')
  const picker = page.getByRole('combobox', { name: 'Language' })
  await page.route(/words-/, (route) => route.abort())
  await picker.selectOption('de')
  await expect(page.getByRole('alert')).toHaveText('We could not load this.')
  await expect(picker).toHaveValue('en')
  await page.unroute(/words-/)
  await picker.selectOption('fi')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fi')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

import { expect, test } from '#e2e/portal.ts'

test('R-2.58 the map lists its places, remembers layers and view, and fills the screen', async ({ page, open }) => {
  await open('/map', 'alice')
  const layers = page.getByRole('group', { name: 'Layers' })
  const places = layers.getByRole('list', { name: 'Places' })
  await layers.getByRole('button', { name: 'Layers' }).click()
  await places.getByRole('button', { name: 'Home' }).click()
  const map = page.getByRole('region', { name: 'Map' })
  const leftEdge = async () => (await map.boundingBox())?.x
  const label = map.getByRole('link', { name: 'Home' })
  await expect(label).toBeInViewport()
  await layers.getByRole('checkbox', { name: 'Names' }).check()
  await expect(map.getByText('Rex', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Full screen' }).click()
  await expect.poll(leftEdge).toBe(0)
  await page.getByRole('button', { name: 'Leave full screen' }).click()
  await expect.poll(leftEdge).toBeGreaterThan(0)

  await page.reload()
  await expect(label).toBeInViewport()
  await layers.getByRole('button', { name: 'Layers' }).click()
  await expect(layers.getByRole('checkbox', { name: 'Names' })).toBeChecked()
  await layers.getByRole('checkbox', { name: 'Places' }).uncheck()
  await expect(label).toBeHidden()
  await expect(places).toBeHidden()
})

test('the trackers of the map are also a list, and each entry opens its card', async ({ page, open }) => {
  await open('/map', 'alice')
  await page.getByText(/^Trackers \d+$/).click()
  await page.getByRole('link', { name: 'Misty' }).click()
  await expect(page.getByRole('heading', { name: 'Misty' })).toBeVisible()
})

test('satellite images are offered if the portal has some, remembered and credited', async ({ page, open }) => {
  const satellite = { url: '/sky/{z}/{x}/{y}.png', attribution: '© Sky', maxZoom: 17 }
  const config = await (await page.request.get('/config.json')).json()
  await page.route('**/config.json', (route) => route.fulfill({ json: { ...config, satellite } }))
  const asked: string[] = []
  await page.route('**/sky/**', (route) => {
    asked.push(route.request().url())
    return route.fulfill({ status: 204, body: '' })
  })
  await open('/map', 'alice')
  const layers = page.getByRole('group', { name: 'Layers' })
  await layers.getByRole('button', { name: 'Layers' }).click()
  await layers.getByRole('checkbox', { name: 'Satellite view' }).check()
  await expect(page.getByText('© Sky')).toBeVisible()
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  await page.reload()
  await expect(page.getByText('© Sky')).toBeVisible()
})

import { expect, test } from '#e2e/portal.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('R-1.5 on a phone the map fills the screen, tabs are at the bottom, and targets are large enough', async ({ page, open }) => {
  await open('/', 'alice')
  const tabs = page.getByRole('navigation', { name: 'Main navigation' })
  await expect(tabs).toBeVisible()
  const box = (await tabs.boundingBox())!
  expect(box.y + box.height).toBeLessThanOrEqual(844.5)
  expect(box.width).toBeGreaterThan(380)
  for (const link of await tabs.getByRole('link').all()) {
    const { height, width } = (await link.boundingBox())!
    expect(Math.min(height, width)).toBeGreaterThanOrEqual(44)
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('on a phone the buttons of the map, the sheet and the card of a tracker are at least 44 pixels wide and high', async ({
  page,
  open,
}) => {
  await open('/trackers/1', 'alice')
  await expect(page.getByRole('button', { name: 'Layers' })).toBeVisible()
  const buttons = page.locator('main button:visible')
  expect(await buttons.count()).toBeGreaterThan(8)
  const small = await buttons.evaluateAll((all) =>
    all
      .filter((button) => !button.closest('.leaflet-marker-pane'))
      .map((button) => ({ name: button.ariaLabel ?? button.textContent, box: button.getBoundingClientRect() }))
      .filter(({ box }) => Math.min(box.width, box.height) < 43.5)
      .map(({ name, box }) => `${name} ${Math.round(box.width)}x${Math.round(box.height)}`),
  )
  expect(small).toEqual([])
})

test('on a phone a tap on a tracker opens its card from the bottom', async ({ page, open }) => {
  await open('/', 'alice')
  await page.getByRole('link', { name: /^Misty/ }).tap()
  await expect(page).toHaveURL(/\/trackers\/2$/)
  await expect(page.getByRole('heading', { name: 'Misty' })).toBeVisible()
})

test('on a phone a tracker far down the list shows its card from the top, and the list keeps its scroll position', async ({
  page,
  open,
}) => {
  await open('/', 'alice')
  const list = page.getByRole('region', { name: 'Trackers', exact: true })
  const bike = list.getByRole('link', { name: /^City bike/ })
  await expect(bike).not.toBeInViewport()
  await bike.scrollIntoViewIfNeeded()
  const { y } = (await bike.boundingBox())!
  await bike.tap()
  await expect(page.getByRole('heading', { name: 'City bike' })).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Share' }).scrollIntoViewIfNeeded()
  await page.goBack()
  await expect.poll(async () => (await bike.boundingBox())?.y).toBeCloseTo(y, 0)
})

test('on a phone the whole header of a card drags the sheet, and nothing is laid out while the finger moves', async ({ page, open }) => {
  await open('/trackers/1', 'alice')
  const sheet = page.getByRole('region', { name: 'Rex' })
  const heading = sheet.getByRole('heading', { name: 'Rex' })
  await expect(heading).toBeVisible()
  const devtools = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
  const countLayouts = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'LayoutCount')!.value
  }
  await devtools.send('Performance.enable')
  let [x, y] = [0, 0]
  let isDown = false
  // Until the first positions have arrived the card still grows, and moves away from under the finger.
  await expect(async () => {
    if (isDown) await touch('touchEnd', x, y)
    const box = (await heading.boundingBox())!
    x = box.x + 20
    y = box.y + box.height / 2
    await touch('touchStart', x, y)
    isDown = true
    for (const up of [20, 40]) await touch('touchMove', x, y - up)
    await expect(sheet).toHaveAttribute('data-moving', '', { timeout: 500 })
  }).toPass()
  // The page may be laid out meanwhile for another reason (a live position, a late picture), so the drag with the fewest layouts counts: if
  // the sheet were laid out while it moves, each drag would count sixteen.
  const layouts: number[] = []
  for (let drag = 0; drag < 5 && !layouts.some((count) => count <= 2); drag++) {
    const before = await countLayouts()
    for (let up = 50; up <= 200; up += 10) await touch('touchMove', x, y - up)
    layouts.push((await countLayouts()) - before)
  }
  expect(Math.min(...layouts)).toBeLessThanOrEqual(2)
  const box = (await heading.boundingBox())!
  expect(box.y + box.height / 2).toBeCloseTo(y - 200, -1)
  await touch('touchEnd', x, y - 200)
  await expect(sheet).not.toHaveAttribute('data-moving')
  await expect(page.getByRole('button', { name: 'Show less' })).toBeVisible()
})

test.describe('beside a list', () => {
  test.use({ viewport: { width: 1280, height: 420 }, hasTouch: false, isMobile: false })

  test('next to a list the card of another tracker starts at its top', async ({ page, open }) => {
    await open('/trackers/1', 'alice')
    const rows = page.getByRole('region', { name: 'List of trackers' })
    await page.getByRole('article', { name: 'Rex' }).getByText('Details').scrollIntoViewIfNeeded()
    await expect(page.getByRole('heading', { name: 'Rex' })).not.toBeInViewport()
    await rows.getByRole('link', { name: /^Misty/ }).click()
    await expect(page.getByRole('heading', { name: 'Misty' })).toBeInViewport({ ratio: 1 })
  })
})

test('on a phone the history shows the first entry of its day without being raised', async ({ page, open }) => {
  await open('/trackers/1/history', 'alice')
  const entries = page.getByRole('list', { name: 'Stops and trips' })
  const first = await entries.getByRole('button').first().boundingBox()
  const player = await page.getByRole('button', { name: 'Play' }).boundingBox()
  expect(first!.y + first!.height).toBeLessThanOrEqual(player!.y)
})

test('on a phone one finger on the map of a place scrolls the form', async ({ page, open }) => {
  await open('/places/1', 'alice')
  const map = page.getByRole('region', { name: 'Map' })
  await map.scrollIntoViewIfNeeded()
  await expect(page.getByText('Move the map with two fingers')).toBeVisible()
  expect(await map.evaluate((element) => getComputedStyle(element).touchAction)).toBe('pan-x pan-y')
})

test('on a phone a dialog is a sheet that closes when its title is pulled down, and comes back when a changed form asks first', async ({
  page,
  open,
}) => {
  await open('/trackers/2', 'alice')
  const devtools = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
  const pull = async (pixels: number) => {
    const box = (await page.getByRole('dialog').first().getByRole('heading').first().boundingBox())!
    await touch('touchStart', box.x + 20, box.y + 10)
    for (let down = 10; down <= pixels; down += 10) await touch('touchMove', box.x + 20, box.y + 10 + down)
    await touch('touchEnd', box.x + 20, box.y + 10 + pixels)
  }
  // The code that moves a sheet arrives after the dialog.
  const motion = page.waitForResponse(/sheet-motion/)
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share Misty' })
  await expect(dialog).toBeVisible()
  await motion
  await expect(async () => {
    await pull(500)
    await expect(dialog).toBeHidden({ timeout: 1000 })
  }).toPass()
})

test('on a phone the dialog of a new phone stays open with what was typed when the phone turns', async ({ page, open }) => {
  await open('/trackers/2', 'alice')
  await page.getByRole('button', { name: 'Connect a phone' }).click()
  const dialog = page.getByRole('dialog')
  const name = dialog.getByRole('textbox').first()
  await name.fill('Pixel of Ann')
  await page.setViewportSize({ width: 844, height: 390 })
  await expect(name).toHaveValue('Pixel of Ann')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(name).toHaveValue('Pixel of Ann')
})

test('total and payment stay in view while the plans are read', async ({ page, open }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open('/subscription?devices=2', 'alice')
  await page.getByRole('radio', { name: /^1 year.*€14.95/ }).check()
  await expect(page.getByRole('button', { name: 'Pay by card' })).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('€14.95').last()).toBeInViewport({ ratio: 1 })
})

test('on a phone the kind of alert that a link proposes to mute is in view without scrolling', async ({ page, open }) => {
  await open('/alerts?sheet=mute&tracker=1&kind=low_battery', 'alice')
  const kind = page.getByRole('checkbox', { name: 'Low battery' })
  await expect(kind).toBeChecked()
  await expect(kind).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('radio', { name: /^For 1 hour/ })).toBeInViewport({ ratio: 1 })
})

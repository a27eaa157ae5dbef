import path from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { launchOptions } from '#e2e/chromium.ts'
import { nameOf, type Screen } from '#e2e/screens/screens.ts'
import { inTheme, show } from '#e2e/show.ts'

const SIZES = {
  desk: { viewport: { width: 1280, height: 800 } },
  tablet: { viewport: { width: 820, height: 1180 }, isMobile: true, hasTouch: true },
  landscape: { viewport: { width: 844, height: 390 }, isMobile: true, hasTouch: true },
  small: { viewport: { width: 1024, height: 768 } },
  large: { viewport: { width: 1920, height: 1080 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
} satisfies Record<string, BrowserContextOptions>
type Size = keyof typeof SIZES
const THEMES = ['light', 'dark'] as const

const PARALLEL_PAGES = 2

type World = { id: string; base_url: string; personas: { key: string; token: string }[]; clock: { now: string } }
export type Picture = { file: string; name: string; size: Size; theme: (typeof THEMES)[number]; isWhole: boolean }
type Job = { screen: Screen; size: Size }
type Options = { origin: string; language: string; folder: string; screens: Screen[]; onShot(picture: Picture): void }

export async function shootAll(options: Options): Promise<string[]> {
  const browser = await chromium.launch(launchOptions)
  const jobs = options.screens.flatMap((screen) => Object.keys(SIZES).map((size): Job => ({ screen, size: size as Size })))
  const made = Object.keys(SIZES).map(async (size) => [size, await createWorld(options.origin)] as const)
  const worlds = new Map<string, World>(await Promise.all(made))
  const failures: string[] = []
  const work = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const world = (!job.screen.isSpent && worlds.get(job.size)) || (await createWorld(options.origin))
      await shoot(browser, job, world, options).catch(
        (error: Error) => void failures.push(`${nameOf(job.screen)} ${job.size}: ${error.message.split('\n')[0]}`),
      )
    }
  }
  await Promise.all(Array.from({ length: PARALLEL_PAGES }, work))
  await browser.close()
  return failures
}

async function createWorld(origin: string): Promise<World> {
  const made = await fetch(`${origin}/mock/worlds`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  return (await made.json()) as World
}

/** Names the world by its header, because Node.js finds no host below `localhost` on every machine. */
async function signInStaff(origin: string, { id, base_url }: World, member: string) {
  const headers = { 'content-type': 'application/json', 'x-world': id }
  const login = await fetch(`${origin}/mock/staff/login`, { method: 'POST', headers, body: JSON.stringify({ member }) })
  const { cookie } = (await login.json()) as { cookie: { name: string; value: string } }
  return { ...cookie, url: base_url, httpOnly: true, sameSite: 'Strict' as const }
}

async function shoot(browser: Browser, { screen, size }: Job, world: World, { origin, language, folder, onShot }: Options) {
  const context = await browser.newContext({ ...SIZES[size], locale: 'en-GB', timezoneId: 'Europe/Paris', reducedMotion: 'reduce' })
  try {
    const page = await context.newPage()
    await page.clock.setFixedTime(world.clock.now)
    const token = world.personas.find(({ key }) => key === screen.as)?.token
    if (screen.staff) await context.addCookies([await signInStaff(origin, world, screen.staff)])
    await show(page, screen, { origin: world.base_url, token, language })
    const take = async (theme: Picture['theme'], isWhole = false) => {
      const name = nameOf(screen)
      const file = `${name}-${size}-${theme}${isWhole ? '-whole' : ''}.png`
      await page.screenshot({ path: path.join(folder, file) })
      onShot({ file, name, size, theme, isWhole })
    }
    await take('light')
    await inTheme(page, 'dark')
    await take('dark')
    if (await showWhole(page)) {
      await inTheme(page, 'light')
      await take('light', true)
    }
  } finally {
    await context.close()
  }
}

/** Makes the viewport as high as the scrolled content; returns false if everything was visible already. */
async function showWhole(page: Page) {
  const hidden = await page.evaluate(() => {
    const root = document.documentElement
    const main = document.querySelector('main') ?? root
    return Math.max(root.scrollHeight - root.clientHeight, main.scrollHeight - main.clientHeight)
  })
  if (hidden < 8) return false
  const { width, height } = page.viewportSize()!
  await page.setViewportSize({ width, height: height + hidden })
  return true
}

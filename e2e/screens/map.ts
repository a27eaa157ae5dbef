import { alice, choose, empty, press, type Screen, supports } from './screen.ts'

export const map: Screen[] = [
  alice('index', '/'),
  alice('index', '/', { state: 'nomatch', act: (page) => page.locator('main input').first().fill('zzz'), ready: 'main' }),
  alice('index', '/', { state: 'layers', act: press('map.layers'), ready: 'main [aria-expanded="true"]' }),
  alice('index', '/', { state: 'palette', act: (page) => page.keyboard.press('Control+k') }),
  alice('index', '/', {
    state: 'menu',
    act: choose('nav [aria-expanded], nav a[href="/account"]'),
    ready: 'nav [aria-expanded="true"] + div > *, main section',
  }),
  empty('index', '/'),
  { name: 'index', path: '/', as: 'bruno', state: 'invoice', ready: 'main [role="alert"]' },
  { name: 'index', path: '/', as: 'chloe', state: 'unconfirmed', ready: 'main a[href="/account_email"]' },
  { name: 'index', path: '/', as: 'haruka', state: 'kanji', language: 'ja' },
  { name: 'index', path: '/', as: 'admin', state: 'team' },
  { name: 'index', path: '/', as: 'member', state: 'member' },
  supports('index', '/'),
  alice('map', '/map'),
  empty('map', '/map'),
]

import { alice, anyone, choose, empty, key, native, press, type Screen } from './screen.ts'

export const sharing: Screen[] = [
  alice('publicLinks', '/public_links'),
  alice('publicLinks', '/public_links?id=1', { state: 'one' }),
  { name: 'publicLinks', path: '/public_links', as: 'admin', state: 'several' },
  alice('publicLinks', '/public_links', { state: 'new', act: press('publicLinks.new') }),
  alice('publicLinks', '/public_links', {
    state: 'qr',
    act: choose('main li button + button, main li > a:not([aria-current])'),
    ready: 'dialog[open], li > a[aria-current]',
  }),
  alice('publicLinks', '/public_links', { state: 'delete', act: choose('main li div > button:last-child') }),
  empty('publicLinks', '/public_links'),
  alice('appPublicLinks', '/app/public_links', { kept: native }),
  anyone('pubTrackers', `/pub/trackers?token=${key('001')}`),
  anyone('pubTrackers', `/pub/trackers?token=${key('004')}`, { state: 'last' }),
  anyone('pubTrackers', `/pub/trackers?token=${key('006')}`, { state: 'empty' }),
  anyone('pubTrackers', `/pub/trackers?token=${key('009')}`, { state: 'several' }),
  anyone('pubTrackers', `/pub/trackers?token=${key('010')}`, { state: 'arrival' }),
  anyone('pubTrackers', `/pub/trackers?token=${key('0ff')}`, { state: 'invalid', fails: true }),
  alice('appTheftFile', '/app/theft_file?id=11'),
  alice('appTheftFile', '/app/theft_file?id=11', { state: 'close', act: press('theft.close') }),
  alice('appTheftFile', '/app/theft_file?id=3', { state: 'report', fails: true }),
  alice('appTheftFile', '/app/theft_file', { state: 'choose' }),
]

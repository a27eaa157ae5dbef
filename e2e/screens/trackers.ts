import { alice, empty, openEntry, press, pressOf, refused, type Screen, supports } from './screen.ts'

const conflictOf = (identifier: string, request?: object) => ({
  tab: { conflict: JSON.stringify({ identifier, ...(request && { request }) }) },
})
const asked = { email: 'alice@example.com', reason: 'bought_used' }

export const trackers: Screen[] = [
  alice('trackers', '/trackers', { ready: 'main table a' }),
  alice('trackers', '/trackers', { state: 'share', act: press('tracker.share') }),
  empty('trackers', '/trackers'),
  supports('trackers', '/trackers'),
  alice('trackerAdd', '/trackers/add'),
  alice('trackerAdd', '/trackers/add', { state: 'refused', ...refused }),
  { name: 'trackerAdd', path: '/trackers/add', as: 'member', state: 'member' },
  alice('conflicting', '/conflicting', { kept: conflictOf('8000000001') }),
  alice('conflicting', '/conflicting', { state: 'none' }),
  alice('conflictingUnlink', '/conflicting-unlink', { kept: conflictOf('8000000001') }),
  alice('conflictingSecurity', '/conflicting-security', { kept: conflictOf('8000000001', asked) }),
  alice('conflictingSerial', '/conflicting-serial', { kept: conflictOf('8000000002', asked) }),
  alice('conflictingFail', '/conflicting-fail'),
  alice('trackerSettings', '/trackers/1/settings'),
  alice('trackerSettings', '/trackers/1/settings?tab=alerts', { state: 'alerts' }),
  alice('trackerSettings', '/trackers/1/settings?tab=advanced', { state: 'advanced' }),
  alice('trackerSettings', '/trackers/13/settings', { state: 'sending' }),
  alice('trackerSettings', '/trackers/9/settings', { state: 'deactivated' }),
  alice('trackerSettings', '/trackers/3/settings', { state: 'remove', act: press('settings.remove') }),
  supports('trackerSettings', '/trackers/1/settings'),
  alice('configSct2', '/config_sct2?id=10'),
  alice('configSct2', '/config_sct2?id=1', { state: 'unknown' }),
  alice('networkActivate', '/network_activate?id=9'),
  alice('networkActivate', '/network_activate', { state: 'choose' }),
  alice('networkActivate', '/network_activate?id=1', { state: 'active' }),
  alice('tags', '/tags'),
  alice('tags', '/tags', { state: 'add', act: press('tags.add') }),
  alice('tags', '/tags', { state: 'trackers', ...openEntry('tags.choose', 'Pets') }),
  alice('tags', '/tags', { state: 'share', act: pressOf('tracker.share', 'Pets') }),
  alice('tags', '/tags', { state: 'delete', act: pressOf('action.delete', 'Pets') }),
  empty('tags', '/tags'),
  { name: 'operatorsHelium', path: '/operators/helium/', as: 'alice' },
  empty('operatorsHelium', '/operators/helium/'),
]

import type { Page } from '@playwright/test'
import { alice, empty, openEntry, press, pressOf, refused, type Screen, supports, type Translate } from './screen.ts'

export const places: Screen[] = [
  alice('places', '/places'),
  alice('places', '/places', { state: 'delete', act: pressOf('action.delete', 'Home') }),
  empty('places', '/places'),
  supports('places', '/places'),
  alice('placeNew', '/places/new'),
  alice('placeNew', '/places/new', { state: 'refused', ...refused }),
  alice('place', '/places/1'),
  alice('place', '/places/999', { state: 'unknown' }),
  alice('placeImport', '/places/import'),
  alice('alerts', '/alerts'),
  alice('alerts', '/alerts', { state: 'delete', act: (page, translate) => deleteFirst(page, translate) }),
  alice('alerts', '/alerts?sheet=mute&tracker=1&kind=place_leave', { state: 'mute', ready: 'dialog[open]' }),
  empty('alerts', '/alerts'),
  alice('alertsFired', '/alerts/fired'),
  empty('alertsFired', '/alerts/fired'),
  alice('alertNew', '/alerts/new'),
  alice('alertNew', '/alerts/new', { state: 'refused', ...refused, ready: 'main form [data-invalid]' }),
  alice('alertNew', '/alerts/new?tracker=2&place=1', { state: 'tried', ready: 'main form [role="img"]' }),
  alice('alertNew', '/alerts/new?tracker=1&rule=unusual', { state: 'unusual' }),
  alice('alertNew', '/alerts/new?tracker=6&rule=unusual', { state: 'learnt' }),
  { name: 'alertNew', path: '/alerts/new', as: 'dario', state: 'empty' },
  alice('alert', '/alerts/1'),
  alice('alert', '/alerts/3', { state: 'vehicle' }),
  alice('contacts', '/contacts'),
  alice('contacts', '/contacts', { state: 'add', act: press('contacts.add') }),
  alice('contacts', '/contacts', { state: 'edit', ...openEntry('action.edit', 'Bob') }),
  alice('contacts', '/contacts', { state: 'delete', act: pressOf('action.delete', 'Carol') }),
  empty('contacts', '/contacts'),
]

const deleteFirst = (page: Page, translate: Translate) =>
  page
    .getByRole('button', { name: new RegExp(`^${translate('action.delete')}`) })
    .first()
    .click()

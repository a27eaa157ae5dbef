import type { Page } from '@playwright/test'
import { alice, anyone, key, native, press, refused, type Screen } from './screen.ts'

export const account: Screen[] = [
  anyone('login', '/login'),
  anyone('login', '/login?view=reset_password', { state: 'forgot' }),
  anyone('login', `/login?view=reset_password&key=${key('106')}`, { state: 'reset' }),
  anyone('login', '/login', { state: 'refused', act: signInWrongly, ready: 'main [role="alert"]', fails: true }),
  // A separate user, because it ends the session for all windows.
  { name: 'logout', path: '/logout', as: 'zoe' },
  anyone('signup', '/signup'),
  anyone('signup', '/signup', { state: 'refused', ...refused }),
  { name: 'accountEmail', path: '/account_email', as: 'chloe' },
  { name: 'accountEmailSent', path: '/account_email_sent', as: 'chloe' },
  anyone('accountConfirmation', `/account_confirmation?key=${key('101')}`, { isSpent: true }),
  anyone('accountConfirmation', `/account_confirmation?key=${key('103')}`, { state: 'already' }),
  anyone('accountConfirmation', `/account_confirmation?key=${key('102')}`, { state: 'expired', fails: true }),
  anyone('accountConfirmation', '/account_confirmation', { state: 'error' }),
  anyone('accountEmailUpdateComplete', `/account_email_update_complete?key=${key('104')}`, { isSpent: true }),
  anyone('accountEmailUpdateComplete', `/account_email_update_complete?key=${key('105')}`, { state: 'expired', fails: true }),
  alice('account', '/account'),
  alice('account', '/account/app', { state: 'app', kept: native }),
  { name: 'account', path: '/account', as: 'admin', state: 'team' },
  alice('accountProfilUpdate', '/account_profil_update'),
  alice('accountEmailUpdate', '/account_email_update'),
  alice('accountPreferences', '/account/preferences'),
  { name: 'accountPreferences', path: '/account/preferences', as: 'chloe', state: 'channels' },
  { name: 'accountPreferences', path: '/account/preferences', as: 'chloe', state: 'addChannel', act: press('account.channels.add') },
  alice('accountPassword', '/account/password'),
  alice('accountSecurity', '/account/security'),
  alice('accountDelete', '/account_delete'),
  { name: 'accountDelete', path: '/account_delete', as: 'admin', state: 'team' },
  { name: 'administrationUsers', path: '/administration/users', as: 'admin' },
  { name: 'administrationUsers', path: '/administration/users', as: 'admin', state: 'add', act: press('team.add') },
]

async function signInWrongly(page: Page) {
  await page.locator('main input').first().fill('alice@example.com')
  await page.locator('main input[type="password"]').fill('not hers at all')
  await page.locator('main button[type="submit"]').first().click()
}

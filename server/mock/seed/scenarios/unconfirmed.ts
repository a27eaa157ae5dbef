import type { Scenario } from './scene.ts'

export const unconfirmed: Scenario = {
  title: 'Addresses to confirm and to change, passwords to set: keys that are good, out of time and used',
  covers: ['2', '4', '8'],
  routes: [
    '/login',
    '/signup',
    '/account_email',
    '/account_email_sent',
    '/account_confirmation',
    '/account_email_update',
    '/account_email_update_complete',
  ],
  cast: ['chloe', 'george', 'zoe', 'taken', 'admin'],
}

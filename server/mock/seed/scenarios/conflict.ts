import type { Scenario } from './scene.ts'

export const conflict: Scenario = {
  title: 'Trackers to add: new ones, and some that are on another account, one step further each',
  covers: ['2', '4', '8'],
  routes: ['/trackers/add', '/conflicting', '/conflicting-unlink', '/conflicting-security', '/conflicting-serial', '/conflicting-fail'],
  cast: ['dario', 'victor', 'bruno'],
}

import type { Scenario } from './scene.ts'

export const linksMax: Scenario = {
  title: 'A tracker with as many public links as it may have, of every kind',
  covers: ['2', '5', '9'],
  routes: ['/public_links', '/app/public_links', '/pub/trackers'],
  cast: ['alice'],
  trackers: ['cityBike', 'rex'],
}

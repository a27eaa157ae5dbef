import path from 'node:path'
import type { Config } from '#server/config.ts'
import type { PortalOptions } from './portal.ts'

const openStreetMap = { url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png', attribution: '© OpenStreetMap contributors', maxZoom: 19 }

/** What `/config.json` says, from the environment. */
export const portalOptions = (config: Config, tiles = openStreetMap): PortalOptions => ({
  root: path.resolve('dist/web'),
  config: {
    apiBaseUrl: '',
    productName: config.PRODUCT_NAME,
    supportEmail: config.SUPPORT_EMAIL,
    tiles: config.TILE_URL ? { url: config.TILE_URL, attribution: config.TILE_ATTRIBUTION ?? '', maxZoom: 19 } : tiles,
  },
})

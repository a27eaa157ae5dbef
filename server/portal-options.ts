import { WITHDRAWAL_PATH } from '#contracts/billing/withdrawal.ts'
import { FEATURES } from '#contracts/reader/features.ts'
import { findProgramFile } from '#db/program-files.ts'
import type { PortalOptions } from '#server/http/portal.ts'
import { describeLegalTexts, type LegalTexts, readLegalTexts } from '#server/legal/legal-texts.ts'
import { isLoopback } from '#server/lib/loopback.ts'
import type { Config } from './config.ts'

const openStreetMap = { url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png', attribution: '© OpenStreetMap contributors', maxZoom: 19 }

const tilesOf = (url: string | undefined, attribution = '') => (url ? { url, attribution, maxZoom: 19 } : undefined)

/** The pages of a payment provider other than Stripe have the origin of its API. This machine has two names. */
function listPaymentOrigins(apiUrl: string) {
  const { protocol, hostname, port, origin } = new URL(apiUrl)
  const hosts = isLoopback(hostname) ? ['localhost', '127.0.0.1'] : []
  return [...new Set([origin, ...hosts.map((host) => new URL(`${protocol}//${host}:${port}`).origin)])]
}

/** Throws a sentence when the files of `LEGAL_DIR` cannot be used. */
export function portalOptions(
  config: Config,
  tiles = openStreetMap,
  hasPush = config.PUSH_KEY !== undefined,
): PortalOptions & { legal: LegalTexts } {
  const legal = readLegalTexts(config)
  return { root: findProgramFile('dist/web'), legal, config: buildPortalConfig(config, { tiles, hasPush, legal }) }
}

type Given = { tiles: typeof openStreetMap; hasPush: boolean; legal: LegalTexts }

const buildPortalConfig = (config: Config, { tiles, hasPush, legal }: Given): PortalOptions['config'] => ({
  apiBaseUrl: '',
  features: FEATURES.filter((feature) => (feature !== 'push' || hasPush) && (feature !== 'channels' || config.CHANNELS !== 'off')),
  productName: config.PRODUCT_NAME,
  supportEmail: config.SUPPORT_EMAIL,
  supportForm: config.SUPPORT_FORM_URL,
  apps: {
    track: { open: config.TRACK_APP_URL, appStore: config.TRACK_APP_STORE_URL, playStore: config.TRACK_APP_PLAY_URL },
    collar: { open: config.COLLAR_APP_URL, appStore: config.COLLAR_APP_STORE_URL, playStore: config.COLLAR_APP_PLAY_URL },
  },
  tiles: tilesOf(config.TILE_URL, config.TILE_ATTRIBUTION) ?? tiles,
  ...(config.STRIPE_API_URL && { payments: { origins: listPaymentOrigins(config.STRIPE_API_URL) } }),
  satellite: tilesOf(config.SATELLITE_TILE_URL, config.SATELLITE_TILE_ATTRIBUTION),
  legal: describeLegalTexts(legal),
  ...(config.WITHDRAWAL_DAYS !== null && { withdrawal: WITHDRAWAL_PATH }),
})

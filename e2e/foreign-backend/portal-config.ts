import type { ForeignBackend } from './server.ts'

const TILE = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="#dde4e8"/></svg>',
)

/** The `/config.json` that an operator writes after reading the documentation: the address, the scheme and the map. */
export const createPortalConfig = ({ baseUrl, habits }: Pick<ForeignBackend, 'baseUrl' | 'habits'>) => ({
  apiBaseUrl: baseUrl,
  productName: 'Whereabouts',
  supportEmail: 'support@example.org',
  auth: { scheme: habits.scheme },
  // Plain grey tiles, so that no other host is needed.
  tiles: { url: `data:image/svg+xml,${TILE}#{z}/{x}/{y}`, attribution: '', maxZoom: 19 },
})

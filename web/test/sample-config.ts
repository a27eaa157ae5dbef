import type { Config } from '#web/lib/config.ts'

/** The configuration of tests, without a feature. */
export const CONFIG = {
  apiBaseUrl: '',
  productName: 'Whereabouts',
  supportEmail: 'support@example.com',
  tiles: { url: '/mock/tiles/{z}/{x}/{y}.svg', attribution: '© OpenStreetMap contributors', maxZoom: 19 },
  build: 'test',
} satisfies Config

/** `/config.json` of a portal in tests. */
export const PORTAL_CONFIG = {
  apiBaseUrl: '',
  productName: 'Pet Finder',
  supportEmail: 'help@example.com',
  tiles: { url: 'https://{s}.tiles.example/{z}/{x}/{y}.png', attribution: '© Example', maxZoom: 19 },
}

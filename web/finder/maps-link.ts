import type { LatLng } from '#contracts/rules/geo/coordinates.ts'

type Browser = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>

/** An iPad identifies itself as a Mac, which has no touch screen. */
const isApple = ({ userAgent, maxTouchPoints }: Browser) =>
  /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)

/** Address that opens the phone's own maps at a point, or Google's in any other browser. */
export function mapsLink({ lat, lng }: LatLng, name: string, device: Browser = navigator): string {
  const at = formatCoordinates({ lat, lng })
  if (isApple(device)) return `https://maps.apple.com/?daddr=${at}`
  if (/Android/.test(device.userAgent)) return `geo:${at}?q=${at}(${encodeURIComponent(name)})`
  return `https://www.google.com/maps/dir/?api=1&destination=${at}`
}

/** Six decimals are 10 cm. */
export const formatCoordinates = ({ lat, lng }: LatLng) => `${lat.toFixed(6)},${lng.toFixed(6)}`

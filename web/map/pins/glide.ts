import type { LatLng } from '#contracts/rules/geo/coordinates.ts'

/** Longer moves jump, because a glide would show a route nobody took. */
const FARTHEST_DEGREES = 0.02

/** Animates from one place to another within `ms`, calling `place` on each frame; returns a function that stops it. */
export function glide(from: LatLng, to: LatLng, ms: number, place: (at: LatLng) => void): () => void {
  const isFar = Math.abs(to.lat - from.lat) + Math.abs(to.lng - from.lng) > FARTHEST_DEGREES
  if (isFar || window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
    place(to)
    return () => undefined
  }
  let frame = 0
  let began: number | null = null
  const step = (time: number) => {
    began ??= time
    const done = Math.min(1, (time - began) / ms)
    const eased = done * done * (3 - 2 * done)
    place({ lat: from.lat + (to.lat - from.lat) * eased, lng: from.lng + (to.lng - from.lng) * eased })
    if (done < 1) frame = requestAnimationFrame(step)
  }
  frame = requestAnimationFrame(step)
  return () => cancelAnimationFrame(frame)
}

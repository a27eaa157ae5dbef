import type { Shape } from './city.ts'
import { toPlane } from './frame.ts'

/** How far, in metres, the name of a place reaches. Kinds that are not listed, such as the city itself, name no neighbourhood. */
const reach: Record<string, number> = { suburb: 3000, city: 3000, town: 3000, neighbourhood: 250 }

/** Creates a lookup of the named place a point (metres, `toPlane`) lies in: a settlement nearby, else the nearest suburb. */
export function createNeighbourhoods(places: Shape[]) {
  const centres = places.flatMap(({ name, kind, lines }) => {
    const [lng, lat] = lines[0]?.[0] ?? [0, 0]
    return name && reach[kind] ? [{ name, reach: reach[kind], ...toPlane({ lat, lng }) }] : []
  })
  const names = [...new Set(centres.map(({ name }) => name))].sort()
  const indexes = centres.map(({ name }) => names.indexOf(name))

  return {
    names,
    /** Index into `names`, or -1 in open country. */
    at(x: number, y: number): number {
      let best = -1
      let bestDistance = Number.POSITIVE_INFINITY
      for (let index = 0; index < centres.length; index++) {
        const centre = centres[index]!
        const distance = Math.hypot(centre.x - x, centre.y - y)
        if (distance > centre.reach) continue
        // A settlement lies within a suburb and is the more exact answer.
        const weighed = centre.reach < 1000 ? distance - 10_000 : distance
        if (weighed < bestDistance) {
          bestDistance = weighed
          best = indexes[index]!
        }
      }
      return best
    },
  }
}

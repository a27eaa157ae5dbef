import type { Layer, Shape } from './city.ts'
import type { Raw } from './read-tiles.ts'
import { classOf } from './road-rules.ts'

type Tags = Raw['tags']
type Rule = (tags: Tags) => [Layer, kind: string] | null

const oneOf = (words: string) => {
  const set = new Set(words.split(' '))
  return (value: string | undefined): value is string => value !== undefined && set.has(value)
}
const isPark = oneOf('park garden golf_course nature_reserve')
const isWood = oneOf('forest wood scrub')
const isGrass = oneOf('grass recreation_ground cemetery meadow village_green grassland allotments churchyard plant_nursery')
const isPitch = oneOf('pitch track stadium sports_centre')
const isWorks = oneOf('industrial military railway port landfill construction garages quarry')
const isCampus = oneOf('hospital school university college')
const isRoad = oneOf(
  'trunk primary secondary tertiary unclassified residential living_street service pedestrian footway path steps cycleway track',
)
/** Names spelled differently by the city itself: typos in the data, and a quarter that the city counts as part of its neighbour. */
const corrected: Record<string, string> = {
  Belvederre: 'Belvedere',
  Bolivar: 'Bolívar',
  'Malvin Norte': 'Malvín Norte',
  'Malvín Nuevo': 'Malvín',
  'Nuevo Paris': 'Nuevo París',
  'Parque Rodo': 'Parque Rodó',
}
const CAPITAL = 'Montevideo'
const isPlace = oneOf('suburb neighbourhood city town')

/** The layer and kind to draw a feature as, or null when it is not drawn. */
const rules: Record<Raw['geometry'], Rule> = {
  point: ({ place, name }) => (isPlace(place) && name ? ['place', name === CAPITAL ? 'capital' : place] : null),
  line: ({ highway, waterway, tunnel, railway, man_made, aeroway }) => {
    if (isRoad(highway && classOf(highway))) return ['road', classOf(highway!)]
    if (waterway && !tunnel) return ['stream', waterway]
    if (railway === 'rail') return ['rail', railway]
    if (man_made === 'pier' || man_made === 'breakwater') return ['pier', man_made]
    return aeroway === 'runway' || aeroway === 'taxiway' ? ['rail', aeroway] : null
  },
  area: ({ natural, leisure, landuse, building, place, waterway, amenity, man_made, aeroway }) => {
    if (natural === 'water' || waterway || leisure === 'swimming_pool') return ['water', 'water']
    if (place === 'islet' || man_made === 'breakwater' || man_made === 'pier') return ['land', 'islet']
    if (natural === 'beach' || natural === 'sand') return ['sand', natural]
    if (building) return ['building', 'building']
    if (isPark(leisure)) return ['green', 'park']
    if (isWood(landuse) || isWood(natural)) return ['green', 'wood']
    if (isPitch(leisure)) return ['green', 'pitch']
    if (natural === 'wetland') return ['green', 'wetland']
    if (isGrass(landuse) || isGrass(natural) || isGrass(leisure)) return ['green', landuse ?? natural ?? 'grass']
    if (isWorks(landuse) || aeroway) return ['use', 'works']
    return isCampus(amenity) ? ['use', 'campus'] : null
  },
}

/** Sorts features into map layers. `land` holds only islets and moles here; `buildCoast` adds the coast. */
export function classify(features: Raw[]): Map<Layer, Shape[]> {
  const found = new Map<Layer, Shape[]>()
  for (const { geometry, tags, lines } of features) {
    const rule = rules[geometry](tags)
    if (!rule) continue
    const [layer, kind] = rule
    const name = layer === 'building' || !tags.name ? null : (corrected[tags.name] ?? tags.name)
    const shapes = found.get(layer) ?? []
    shapes.push({ kind, name, geometry, lines })
    found.set(layer, shapes)
  }
  return found
}

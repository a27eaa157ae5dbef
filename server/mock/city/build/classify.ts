import type { Layer, Shape } from '#server/mock/city/city.ts'
import type { OsmFeature } from './read-tiles.ts'
import { roadClass } from './road-graph.ts'

type Tags = OsmFeature['tags']
type Rule = (tags: Tags) => [Layer, kind: string] | null

const createMatcher = (words: string) => {
  const set = new Set(words.split(' '))
  return (value: string | undefined): value is string => value !== undefined && set.has(value)
}
const isPark = createMatcher('park garden golf_course nature_reserve')
const isWood = createMatcher('forest wood scrub')
const isGrass = createMatcher('grass recreation_ground cemetery meadow village_green grassland allotments churchyard plant_nursery')
const isPitch = createMatcher('pitch track stadium sports_centre')
const isWorks = createMatcher('industrial military railway port landfill construction garages quarry')
const isCampus = createMatcher('hospital school university college')
const isRoad = createMatcher(
  'trunk primary secondary tertiary unclassified residential living_street service pedestrian footway path steps cycleway track',
)
/** Names spelled differently by the city itself: typos in the data, and a quarter that the city counts as part of its neighbour. */
const CORRECTED_NAMES: Record<string, string> = {
  Belvederre: 'Belvedere',
  Bolivar: 'Bolívar',
  'Malvin Norte': 'Malvín Norte',
  'Malvín Nuevo': 'Malvín',
  'Nuevo Paris': 'Nuevo París',
  'Parque Rodo': 'Parque Rodó',
}
const CAPITAL = 'Montevideo'
const isPlace = createMatcher('suburb neighbourhood city town')

/** The layer and kind to draw a feature as, or null when it is not drawn. */
const DRAWING_RULES: Record<OsmFeature['geometry'], Rule> = {
  point: ({ place, name }) => (isPlace(place) && name ? ['place', name === CAPITAL ? 'capital' : place] : null),
  line: ({ highway, waterway, tunnel, railway, man_made, aeroway }) => {
    if (isRoad(highway && roadClass(highway))) return ['road', roadClass(highway!)]
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
export function classifyFeatures(features: OsmFeature[]): Map<Layer, Shape[]> {
  const found = new Map<Layer, Shape[]>()
  for (const { geometry, tags, lines } of features) {
    const rule = DRAWING_RULES[geometry](tags)
    if (!rule) continue
    const [layer, kind] = rule
    const name = layer === 'building' || !tags.name ? null : (CORRECTED_NAMES[tags.name] ?? tags.name)
    const shapes = found.get(layer) ?? []
    shapes.push({ kind, name, geometry, lines })
    found.set(layer, shapes)
  }
  return found
}

import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { classifyFeatures } from './classify.ts'
import type { OsmFeature } from './read-tiles.ts'
import { BACKWARD, FOOT, FORWARD, roadUse } from './road-graph.ts'

const shapeOf = (geometry: OsmFeature['geometry'], tags: OsmFeature['tags']) => {
  const [found] = classifyFeatures([{ id: 1, geometry, tags, lines: [[[0, 0]]] }])
  return found && `${found[0]} ${found[1][0]?.kind}`
}

describe('drawing rules', () => {
  test('every feature is drawn in the expected layer and class', async () => {
    const rows: [OsmFeature['geometry'], OsmFeature['tags'], string][] = [
      ['line', { highway: 'primary_link' }, 'road primary'],
      ['line', { highway: 'footway' }, 'road footway'],
      ['line', { waterway: 'stream' }, 'stream stream'],
      ['line', { railway: 'rail' }, 'rail rail'],
      ['line', { man_made: 'pier' }, 'pier pier'],
      ['line', { aeroway: 'taxiway' }, 'rail taxiway'],
      ['area', { natural: 'beach' }, 'sand beach'],
      ['area', { natural: 'water', leisure: 'park' }, 'water water'],
      ['area', { leisure: 'park' }, 'green park'],
      ['area', { landuse: 'forest' }, 'green wood'],
      ['area', { leisure: 'pitch' }, 'green pitch'],
      ['area', { place: 'islet' }, 'land islet'],
      ['area', { building: 'yes', amenity: 'school' }, 'building building'],
      ['area', { amenity: 'school' }, 'use campus'],
      ['area', { landuse: 'industrial' }, 'use works'],
      ['point', { place: 'suburb', name: 'Goes' }, 'place suburb'],
      ['point', { place: 'city', name: 'Montevideo' }, 'place capital'],
    ]
    expect(
      await collectFailures(
        rows,
        ([geometry, tags]) => `${geometry} ${JSON.stringify(tags)}`,
        ([geometry, tags, expected]) => expect(shapeOf(geometry, tags)).toBe(expected),
      ),
    ).toEqual([])
  })

  test('features without a rule are not drawn', async () => {
    const rows: [OsmFeature['geometry'], OsmFeature['tags']][] = [
      ['line', { highway: 'proposed' }],
      ['line', { waterway: 'drain', tunnel: 'culvert' }],
      ['line', { railway: 'disused' }],
      ['area', { landuse: 'residential' }],
      ['point', { place: 'suburb' }],
      ['point', { 'addr:street': 'Goes' }],
    ]
    expect(
      await collectFailures(
        rows,
        ([geometry, tags]) => `${geometry} ${JSON.stringify(tags)}`,
        ([geometry, tags]) => expect(shapeOf(geometry, tags)).toBeUndefined(),
      ),
    ).toEqual([])
  })
})

describe('road access', () => {
  test('access follows the tags of the road', async () => {
    const rows: [OsmFeature['tags'], number][] = [
      [{ highway: 'residential' }, FOOT | FORWARD | BACKWARD],
      [{ highway: 'residential', oneway: 'yes' }, FOOT | FORWARD],
      [{ highway: 'residential', oneway: '-1' }, FOOT | BACKWARD],
      [{ highway: 'tertiary', junction: 'roundabout' }, FOOT | FORWARD],
      [{ highway: 'trunk' }, FORWARD | BACKWARD],
      [{ highway: 'footway' }, FOOT],
      [{ highway: 'secondary_link', oneway: 'yes', foot: 'no' }, FORWARD],
      [{ highway: 'service', access: 'private' }, 0],
      [{ highway: 'proposed' }, 0],
      [{}, 0],
    ]
    expect(
      await collectFailures(
        rows,
        ([tags]) => JSON.stringify(tags),
        ([tags, bits]) => expect(roadUse(tags).bits).toBe(bits),
      ),
    ).toEqual([])
  })

  test('drivers prefer avenues to lanes', () => {
    expect(roadUse({ highway: 'primary' }).cost).toBeLessThan(roadUse({ highway: 'residential' }).cost)
  })
})

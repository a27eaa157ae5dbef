export type Theme = 'light' | 'dark'
export type Palette = (typeof palettes)[Theme]

/** At night the streets are lighter than the land. */
export const palettes = {
  light: {
    sea: '#c3dfec',
    land: '#f3f0ea',
    works: '#ece8e0',
    campus: '#f0eadc',
    park: '#d3e8c8',
    grass: '#dfecd3',
    pitch: '#c8e2bf',
    sand: '#f3e6bf',
    building: '#e6e0d6',
    rail: '#cfc8bc',
    taxiway: '#e3ddd2',
    path: '#fbf9f5',
    road: '#ffffff',
    roadEdge: '#e3ddd2',
    main: '#fde2b4',
    mainEdge: '#f0c98a',
    border: '#cfc6b8',
    street: '#6b6459',
    place: '#857c6f',
    parkName: '#5c7f4f',
    halo: '#fbf9f5',
  },
  dark: {
    sea: '#0d1b26',
    land: '#171c22',
    works: '#1a2027',
    campus: '#1c2128',
    park: '#18291f',
    grass: '#18231f',
    pitch: '#1b3024',
    sand: '#2a2718',
    building: '#1d242c',
    rail: '#2c343d',
    taxiway: '#232a32',
    path: '#222931',
    road: '#2b333d',
    roadEdge: '#12161b',
    main: '#3d4653',
    mainEdge: '#12161b',
    border: '#39424d',
    street: '#8b96a5',
    place: '#7e8a99',
    parkName: '#6f9a7c',
    halo: '#171c22',
  },
} as const

type Road = { width: number; from: number; nameFrom: number; ink: 'main' | 'road' | 'path' }

/** By class in painting order: width in pixels at zoom 14, first zoom drawn, first zoom named. */
export const roads: Record<string, Road> = {
  path: { width: 0.7, from: 15, nameFrom: 18, ink: 'path' },
  steps: { width: 0.7, from: 16, nameFrom: 18, ink: 'path' },
  footway: { width: 0.7, from: 15, nameFrom: 18, ink: 'path' },
  track: { width: 0.8, from: 15, nameFrom: 17, ink: 'path' },
  cycleway: { width: 0.8, from: 15, nameFrom: 17, ink: 'path' },
  service: { width: 1.2, from: 14, nameFrom: 17, ink: 'road' },
  pedestrian: { width: 1.6, from: 14, nameFrom: 16, ink: 'road' },
  living_street: { width: 1.9, from: 13, nameFrom: 16, ink: 'road' },
  unclassified: { width: 2.2, from: 12, nameFrom: 15, ink: 'road' },
  residential: { width: 2.2, from: 12, nameFrom: 15, ink: 'road' },
  tertiary: { width: 3.4, from: 11, nameFrom: 14, ink: 'road' },
  secondary: { width: 4.4, from: 10, nameFrom: 13, ink: 'main' },
  primary: { width: 5.6, from: 9, nameFrom: 13, ink: 'main' },
  trunk: { width: 6.2, from: 8, nameFrom: 13, ink: 'main' },
}

/** Scales a width in pixels at zoom 14. Streets grow more slowly than the map, otherwise they would cover the blocks at close range. */
export const widthAtZoom = (width: number, zoom: number) => {
  const grown = width * (zoom >= 14 ? 1.62 ** (zoom - 14) : 1.5 ** (zoom - 14))
  return Math.max(0.5, grown)
}

type Fill = { layer: string; kinds?: string[]; ink: keyof Palette; from: number }

export const fills: Fill[] = [
  { layer: 'use', kinds: ['works'], ink: 'works', from: 11 },
  { layer: 'use', kinds: ['campus'], ink: 'campus', from: 13 },
  {
    layer: 'green',
    kinds: ['grass', 'recreation_ground', 'meadow', 'grassland', 'allotments', 'churchyard', 'plant_nursery'],
    ink: 'grass',
    from: 12,
  },
  { layer: 'green', kinds: ['park', 'wood', 'wetland', 'cemetery', 'village_green'], ink: 'park', from: 9 },
  { layer: 'green', kinds: ['pitch'], ink: 'pitch', from: 14 },
  { layer: 'sand', ink: 'sand', from: 11 },
  { layer: 'water', ink: 'sea', from: 10 },
  { layer: 'building', ink: 'building', from: 15 },
]

type Stroke = { layer: string; kinds?: string[]; ink: keyof Palette; width: number; from: number; dash?: string }

/** Thin lines under the streets; width in pixels at zoom 14. */
export const strokes: Stroke[] = [
  { layer: 'stream', kinds: ['river', 'canal'], ink: 'sea', width: 2.4, from: 11 },
  { layer: 'stream', kinds: ['stream', 'drain', 'ditch'], ink: 'sea', width: 1, from: 13 },
  { layer: 'pier', ink: 'land', width: 2, from: 12 },
  { layer: 'rail', kinds: ['runway'], ink: 'taxiway', width: 9, from: 10 },
  { layer: 'rail', kinds: ['taxiway'], ink: 'taxiway', width: 4, from: 12 },
  { layer: 'rail', kinds: ['rail'], ink: 'rail', width: 0.9, from: 12 },
]

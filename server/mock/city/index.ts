/**
 * What the servers take from the demo city. Builds take `build/build-city.ts`, whose packages the servers do not have, and tests take
 * `testing.ts`.
 */
export { openCity } from '#server/mock/city/lookup/open-city.ts'
export { type Address, type City, type Geometry, LAYERS, type Position, type RoadUser, type Shape } from './city.ts'
export { columnOfLng, REGION_BOUNDS, rowOfLat, TILE_BLOCK } from './frame.ts'
export { clipRing } from './geometry.ts'

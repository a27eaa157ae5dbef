import type { Row } from '#scripts/bench/row.ts'

const NEEDS_BROWSER = 'needs a browser: npm run bench:web'

export const browser: Row[] = [
  { id: 'B2', name: 'a track of 100,000 points: drawing, zooming in', omitted: NEEDS_BROWSER },
  { id: 'B3', name: 'memory of a track of 100,000 points', omitted: NEEDS_BROWSER },
  {
    id: 'B4',
    name: 'bytes of the map beside maplibre-gl',
    omitted: 'maplibre-gl is not installed; the bytes of each page are budgets of npm run check',
  },
]

import type { Kind } from '#contracts/rules/tracking/tracker.ts'

type Look = { colour: string; path: string }

/** Colour and icon of each kind as on the portal's map. The icons are Tabler's (MIT), in a box of 24, drawn as lines. */
export const KIND_LOOKS: Record<Kind, Look> = {
  dog: {
    colour: '#d4571f',
    path: [
      'M11 5h2',
      'M19 12c-.667 5.333 -2.333 8 -5 8h-4c-2.667 0 -4.333 -2.667 -5 -8',
      'M11 16c0 .667 .333 1 1 1s1 -.333 1 -1h-2',
      'M12 18v2',
      'M10 11v.01',
      'M14 11v.01',
      'M5 4l6 .97l-6.238 6.688a1.021 1.021 0 0 1 -1.41 .111a.953 .953 0 0 1 -.327 -.954l1.975 -6.815',
      'M19 4l-6 .97l6.238 6.688c.358 .408 .989 .458 1.41 .111a.953 .953 0 0 0 .327 -.954l-1.975 -6.815',
    ].join(''),
  },
  cat: {
    colour: '#9d4fc4',
    path: [
      'M20 3v10a8 8 0 1 1 -16 0v-10l3.432 3.432a7.963 7.963 0 0 1 4.568 -1.432c1.769 0 3.403 .574 4.728 1.546l3.272 -3.546',
      'M2 16h5l-4 4',
      'M22 16h-5l4 4',
      'M11 16a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
      'M9 11v.01',
      'M15 11v.01',
    ].join(''),
  },
  person: {
    colour: '#2563eb',
    path: ['M8 7a4 4 0 1 0 8 0a4 4 0 0 0 -8 0', 'M6 21v-2a4 4 0 0 1 4 -4h4a4 4 0 0 1 4 4v2'].join(''),
  },
  bike: {
    colour: '#15803d',
    path: [
      'M2 18a3 3 0 1 0 6 0a3 3 0 0 0 -6 0',
      'M16 18a3 3 0 1 0 6 0a3 3 0 0 0 -6 0',
      'M12 19v-4l-3 -3l5 -4l2 3h3',
      'M13.007 5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0',
    ].join(''),
  },
  vehicle: {
    colour: '#475569',
    path: [
      'M5 17a2 2 0 1 0 4 0a2 2 0 1 0 -4 0',
      'M15 17a2 2 0 1 0 4 0a2 2 0 1 0 -4 0',
      'M5 17h-2v-6l2 -5h9l4 5h1a2 2 0 0 1 2 2v4h-2m-4 0h-6m-6 -6h15m-6 0v-5',
    ].join(''),
  },
  plane: {
    colour: '#0369a1',
    path: ['M16 10h4a2 2 0 0 1 0 4h-4l-4 7h-3l2 -7h-4l-2 2h-3l2 -4l-2 -4h3l2 2h4l-2 -7h3l4 7'].join(''),
  },
  other: {
    colour: '#6b7280',
    path: ['M9 11a3 3 0 1 0 6 0a3 3 0 0 0 -6 0', 'M17.657 16.657l-4.243 4.243a2 2 0 0 1 -2.827 0l-4.244 -4.243a8 8 0 1 1 11.314 0'].join(
      '',
    ),
  },
}

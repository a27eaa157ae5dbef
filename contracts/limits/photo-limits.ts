/** Photos are cropped to squares of these sizes, in pixels. */
export const PHOTO = { maxBytes: 10 * 1024 * 1024, maxPixels: 50_000_000, sizes: { large: 512, small: 96 } } as const

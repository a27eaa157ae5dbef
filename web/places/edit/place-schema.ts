import * as z from 'zod/mini'
import { places } from '#contracts/places.ts'
import { radiusOf } from './radius-steps.ts'

const { name, address, type } = places.create.body.shape

const Radius = z.pipe(z.string().check(z.refine((text) => radiusOf(text) !== null)), z.transform(Number))

/** Rejects the same values as the server. */
export const PlaceFields = z.object({ name, address, type, radius: Radius })

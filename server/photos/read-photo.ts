import type { DbReader } from '#db/db.ts'
import { findPhoto } from './photos.store.ts'

/** The JPEG of a tracker's photo by its hash; undefined where the tracker has none. */
export const readPhoto = async (db: DbReader, hash: string | null | undefined, size: 'large' | 'small') =>
  hash ? findPhoto(db, hash, size) : undefined

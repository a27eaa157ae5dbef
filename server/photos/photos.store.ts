import { eq } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { devices, photos } from '#db/schema/devices.ts'

type Photo = typeof photos.$inferSelect

/** Saves the photo of a tracker, replacing the previous one. */
export async function savePhoto(tx: Tx, photo: Photo) {
  const { deviceId, ...rest } = photo
  await tx.insert(photos).values(photo).onConflictDoUpdate({ target: photos.deviceId, set: rest })
  await tx.update(devices).set({ photo: photo.hash }).where(eq(devices.id, deviceId))
}

export async function removePhoto(tx: Tx, deviceId: number) {
  await tx.delete(photos).where(eq(photos.deviceId, deviceId))
  await tx.update(devices).set({ photo: null }).where(eq(devices.id, deviceId))
}

/** Saves the tracker's own icon; null restores that of its kind. */
export const saveIcon = (tx: Tx, deviceId: number, icon: typeof devices.$inferSelect.icon) =>
  tx.update(devices).set({ icon }).where(eq(devices.id, deviceId))

/** The JPEG of a photo of any tracker: knowing the hash is the permission. */
export async function findPhoto(db: DbReader, hash: string, size: 'large' | 'small') {
  const [found] = await db.select({ content: photos[size] }).from(photos).where(eq(photos.hash, hash)).limit(1)
  return found?.content
}

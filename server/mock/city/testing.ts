import { buildOnce } from '#scripts/test-setup/build-once.ts'
import { listImported } from '#scripts/test-setup/imports.ts'
import { openCity } from '#server/mock/city/lookup/open-city.ts'
import type { City } from './city.ts'

const BUILDER = 'server/mock/city/build/build-city.ts'

let opened: City | undefined

/** Returns the folder of a city built by the current sources; builds it when they have changed. */
export const ensureBuiltCity = (): Promise<string> =>
  buildOnce('city', listImported([BUILDER]), async (folder) => {
    const { buildCity } = await import('#server/mock/city/build/build-city.ts')
    await buildCity(folder)
  })

export async function openTestCity(): Promise<City> {
  opened ??= openCity(await ensureBuiltCity())
  return opened
}

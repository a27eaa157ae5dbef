import { mkdir, rename, rm } from 'node:fs/promises'

/** Builds the demo city in a temporary folder and swaps it in, so that a running server never reads half a city. */
export const buildDemoCity = async (outDir: string) => {
  const { buildCity } = await import('#server/mock/city/build/build-city.ts')
  const fresh = `${outDir}.new`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { recursive: true })
  await buildCity(fresh)
  await rm(outDir, { recursive: true, force: true })
  await rename(fresh, outDir)
  return outDir
}

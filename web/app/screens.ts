import type { ComponentType } from 'react'
import type { NativeScreen } from '#web/host-app/native-screens.tsx'

/** The console loads its own screens. */
const files = import.meta.glob<{ default: ComponentType }>(['../*/**/*-screen.tsx', '!../operator/*/**'])

/** Loads a screen by its file name: `alerts/contacts` is `web/alerts/contacts-screen.tsx`. */
export function loadScreen(screen: string) {
  const file = files[`../${screen}-screen.tsx`]
  if (!file) throw new Error(`There is no screen ${screen}`)
  return file()
}

/** Loads one of the screens that the host app opens, which share a file. */
export const loadNativeScreen = async (screen: NativeScreen) => ({
  default: (await import('#web/host-app/native-screens.tsx')).screens[screen],
})

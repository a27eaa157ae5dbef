import { Page } from '#web/ui/page.tsx'
import { Controls } from './controls.tsx'
import { Foundations } from './foundations.tsx'
import { Surfaces } from './surfaces.tsx'
import { TrackerSamples } from './tracker-samples.tsx'

/**
 * What the portal is built from, in both themes, for those who develop it. Its texts are English only, and so not in the locale files. It
 * exists only with the mock server.
 */
export default function DesignScreen() {
  return (
    <Page title="Type and parts" lead="What the portal is built from, in both themes.">
      <Foundations />
      <TrackerSamples />
      <Controls />
      <Surfaces />
    </Page>
  )
}

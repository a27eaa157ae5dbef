import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router-dom'
import * as z from 'zod/mini'
import { PLACE_RADIUS } from '#contracts/rules/geo/place.ts'
import { type Corridor, SHAPE_LIMITS } from '#contracts/rules/geo/shape.ts'
import { Detail, useIsSplit } from '#web/ui/lists/split.tsx'
import { Page } from '#web/ui/page.tsx'
import { ReadOnlyNote, useMayChangePlaces } from './may-change-places.tsx'
import { PlaceForm } from './place-form.tsx'
import { PlacesPage } from './places-page.tsx'
import type { StartCircle } from './use-place-form.ts'

/** The way of a trip that the history hands over. */
const Handed = z.object({ way: z.array(z.tuple([z.number(), z.number()])).check(z.minLength(SHAPE_LIMITS.corridor.points.min)) })

/** The circle of a usual place. */
const HandedCircle = z.object({
  circle: z.object({
    address: z.string(),
    lat: z.number(),
    lng: z.number(),
    radius: z.int().check(z.minimum(PLACE_RADIUS.min), z.maximum(PLACE_RADIUS.max)),
  }),
})

const readCircle = (state: unknown): StartCircle | undefined => HandedCircle.safeParse(state).data?.circle

function readWay(state: unknown): Corridor | undefined {
  const { data } = Handed.safeParse(state)
  return data && { type: 'corridor', points: data.way, width: SHAPE_LIMITS.width.default }
}

export default function PlaceNewScreen() {
  const { t } = useTranslation()
  const may = useMayChangePlaces()
  const isSplit = useIsSplit()
  const { state } = useLocation()
  const content = (
    <>
      {may === false && <ReadOnlyNote />}
      <PlaceForm way={readWay(state)} circle={readCircle(state)} isDisabled={!may} />
    </>
  )
  if (isSplit)
    return (
      <PlacesPage
        details={
          <Detail title={t('title.placeNew')} isWide isPage>
            {content}
          </Detail>
        }
      />
    )
  return (
    <Page title={t('title.placeNew')} back={{ to: '/places', label: t('title.places') }}>
      {content}
    </Page>
  )
}

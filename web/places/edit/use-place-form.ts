import { useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'
import type { FoundAddress } from '#contracts/addresses.ts'
import { ACCOUNT_LIMITS } from '#contracts/limits/account-limits.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { type Place, places } from '#contracts/places.ts'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { encloseShape } from '#contracts/rules/geo/measure-shape.ts'
import { type Circle, type Geofence, PLACE_RADIUS } from '#contracts/rules/geo/place.ts'
import type { Corridor, Shape } from '#contracts/rules/geo/shape.ts'
import { byName } from '#contracts/rules/text.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { showToast } from '#web/lib/toasts.ts'
import { placesApi, placesQuery } from '#web/places/places.queries.ts'
import { encloseDraft, findFaultOfText, parseShapeText, useShape } from '#web/places/shape/use-shape.ts'
import { useForm } from '#web/ui/form/use-form.ts'
import { addressesApi } from './address-field.tsx'
import { parseRadius } from './radius-field.tsx'

/** Milliseconds after the last move of a spot until its address is requested. */
const PAUSE_MS = 400

/** The address of a place: typed, chosen from suggestions with its point, or that of a spot on the map. */
function useAddress(saved: string) {
  const hasAddresses = useFeature('addresses')
  const [text, setText] = useState(saved)
  const [spot, setSpot] = useState<LatLng | null>(null)
  const [replaced, setReplaced] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const cancel = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  const set = (next: string, at: LatLng | null) => {
    cancel()
    setText(next)
    setSpot(at)
    setReplaced(null)
  }
  return {
    text,
    /** The point of a chosen suggestion, until the text changes. */
    spot,
    isChosen: spot !== null,
    type: (next: string) => set(next, null),
    choose: ({ label, lat, lng }: FoundAddress) => set(label, { lat, lng }),
    /** The text before the address of the spot replaced it. */
    replaced,
    restore: () => set(replaced ?? text, null),
    /** Fills in the address of a spot once it rests. */
    lookUp: (at: LatLng | null) => {
      cancel()
      if (!at || !hasAddresses) return
      timer.current = setTimeout(async () => {
        const mine = timer.current
        const label = (await addressesApi.nearest({ query: at }, { staysOnNoAnswer: true }).catch(() => null))?.label
        if (!label || timer.current !== mine) return
        setText(label)
        setReplaced((before) => before ?? (text.trim() && text !== label ? text : null))
      }, PAUSE_MS)
    },
  }
}

const parseSpot = (text: string): LatLng | null => {
  const [lat, lng] = text.split(',').map(Number)
  return lat === undefined || lng === undefined ? null : { lat, lng }
}

/** The circle that a new place begins with. */
export type StartCircle = Circle & { address: string }

/**
 * State of a place being created or changed. Coordinates are sent only if the user chose the spot on the map; otherwise the server geocodes
 * the address.
 */
export function usePlaceForm(place?: Place, way?: Corridor, circle?: StartCircle) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [put, setPut] = useState<LatLng | null>(() => circle ?? null)
  const address = useAddress(place?.address ?? circle?.address ?? '')
  const shape = useShape(place?.shape ?? way)
  const saved = Math.min(PLACE_RADIUS.max, place?.radius ?? circle?.radius ?? PLACE_RADIUS.default)
  const [typed, setTyped] = useState(String(saved))
  const [drawn, setDrawn] = useState<number>(saved)
  const [devices, setDevices] = useState<readonly number[]>(place?.devices ?? [])
  const [isResized, setResized] = useState(false)
  const isCircle = shape.kind === 'circle'
  const form = useForm<typeof CircleFields | typeof ShapeFields>({
    schema: isCircle ? (put ? PutFields : CircleFields) : ShapeFields,
    submit: async ({ shape: drawnShape, ...fields }) => {
      const at = drawnShape ? encloseShape(drawnShape) : put
      const named = fields.address || (at ? formatPoint(at) : '')
      const border = drawnShape ? { shape: drawnShape } : { ...(place?.shape && { shape: null }), ...(put ?? address.spot) }
      const body = { ...fields, address: named, devices: [...devices], ...border }
      const saved = await (place ? placesApi.update({ params: { id: place.id }, body }) : placesApi.create({ body }))
      queries.setQueryData(placesQuery().queryKey, (all) => all && [...all.filter(({ id }) => id !== saved.id), saved].sort(byName))
      showToast(place ? t('form.saved') : t('places.created'))
      void navigate('/places')
    },
    words: { address: t('places.addressNotFound'), radius: t('places.radiusRange', PLACE_RADIUS) },
    failure: ({ code, status }) => {
      if (code === 'limit_reached') return t('limit.places', { n: ACCOUNT_LIMITS.places })
      return status === 404 ? t('places.unknown') : undefined
    },
  })
  const setRadius = (text: string) => {
    setTyped(text)
    setDrawn((before) => parseRadius(text) ?? before)
  }
  const spot = put ?? address.spot ?? place ?? null
  return {
    ...form,
    isDirty: !form.isBusy && (form.isDirty || put !== null || isResized || address.isChosen || shape.isChanged),
    radius: { typed, drawn, set: setRadius },
    devices: { chosen: devices, choose: setDevices },
    address,
    /** Centre of the circle; null if the address has not been geocoded yet. */
    spot,
    isPut: put !== null,
    put: (spot: LatLng | null) => {
      setPut(spot)
      address.lookUp(spot)
    },
    /** A hidden field that makes the spot part of the form, so that the draft preserves it when the session ends. */
    spotInput: {
      name: 'spot',
      value: put ? `${put.lat},${put.lng}` : '',
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => setPut(parseSpot(target.value)),
    },
    shape,
    /** The border as it is drawn; null while it is none. */
    border: shape.kind !== 'circle' ? encloseDrawn(shape.text) : spot && { lat: spot.lat, lng: spot.lng, radius: drawn },
    /** The same for the shape. */
    shapeInput: {
      name: 'shape',
      value: shape.text,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => shape.restore(target.value),
    },
    /** Resizing on the map fires no form event, so it sets the dirty flag itself. */
    resize: (radius: number) => {
      setResized(true)
      setRadius(String(radius))
    },
  }
}

function encloseDrawn(text: string): Geofence | null {
  const shape = findFaultOfText(text) === null ? parseShapeText(text) : null
  return shape && encloseDraft(shape)
}

const { name, address } = places.create.body.shape

const Radius = z.pipe(z.string().check(z.refine((text) => parseRadius(text) !== null)), z.transform(Number))

const NoShape = z.pipe(
  z.literal(''),
  z.transform((): Shape | null => null),
)

/** Rejects the same values as the server; a type is one of the choices, or an unknown one that is sent back unchanged. */
const CircleFields = z.object({ name, address, type: z.string(), radius: Radius, shape: NoShape })

const AnyAddress = z.string().check(z.maxLength(TEXT_LENGTH.address))

/** If the circle was placed, the address may be empty. */
const PutFields = z.object({ ...CircleFields.shape, address: AnyAddress })

const ShapeText = z.pipe(z.string().check(z.refine((text) => findFaultOfText(text) === null)), z.transform(parseShapeText))

/** The server computes the circle of a shape. */
const ShapeFields = z.object({ name, address: AnyAddress, type: z.string(), radius: z.optional(Radius), shape: ShapeText })

/** Placeholder for the address of a spot without one. */
const formatPoint = ({ lat, lng }: LatLng) => `${lat.toFixed(5)}, ${lng.toFixed(5)}`

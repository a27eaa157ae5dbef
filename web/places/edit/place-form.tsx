import { Button } from '@mantine/core'
import { IconCircle, IconPolygon, IconRoute } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { pickListed, withUnlisted } from '#contracts/lib/unknown-values.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import type { Place } from '#contracts/places.ts'
import { PLACE_TYPES } from '#contracts/rules/geo/place.ts'
import type { Corridor } from '#contracts/rules/geo/shape.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { boxCorners } from '#web/map/shapes/circles.tsx'
import { PlaceIcon } from '#web/places/place-icon.tsx'
import { ShapeField } from '#web/places/shape/shape-field.tsx'
import { WidthField } from '#web/places/shape/width-field.tsx'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { ChoiceCards } from '#web/ui/form/choices.tsx'
import { RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { AddressField } from './address-field.tsx'
import classes from './place-form.module.css'
import { RadiusField } from './radius-field.tsx'
import { SpotField } from './spot-field.tsx'
import { type StartCircle, usePlaceForm } from './use-place-form.ts'

const PlaceDryRun = lazy(() => import('#web/places/shape/place-dry-run.tsx'))

type FormProps = {
  place?: Place | undefined
  /** What a new place begins with. */
  way?: Corridor | undefined
  circle?: StartCircle | undefined
  isDisabled: boolean
}

export function PlaceForm({ place, way, circle, isDisabled }: FormProps) {
  const { t } = useTranslation()
  const {
    form,
    field,
    isBusy,
    isDirty,
    failure,
    radius,
    devices,
    address,
    spot,
    isPut,
    put,
    spotInput,
    resize,
    shape,
    shapeInput,
    border,
  } = usePlaceForm(place, way, circle)
  const hasShapes = useFeature('placeShapes')
  const hasAlerts = useFeature('alerts')
  const hasDryRun = useFeature('alertDryRun') && hasAlerts
  const isFree = isPut || shape.kind !== 'circle'
  const choices = withUnlisted(PLACE_TYPES, place?.type).map((type) => ({
    value: type,
    label: formatType(t, type),
    icon: <PlaceIcon type={type} />,
  }))
  return (
    <form {...form} className={classes.box}>
      <fieldset className={classes.form} disabled={isDisabled}>
        <div className={classes.fields}>
          <FormAlert>{failure}</FormAlert>
          <TextField
            {...field('name')}
            label={t('trackers.name')}
            required
            maxLength={TEXT_LENGTH.placeName}
            defaultValue={place?.name}
            autoComplete="off"
          />
          <AddressField
            {...field('address')}
            label={t('places.address')}
            description={
              isFree && address.text.trim() === '' && t(shape.kind === 'circle' ? 'places.addressToo' : 'places.shape.addressToo')
            }
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            required={!isFree}
            value={address.text}
            onType={address.type}
            onChoose={address.choose}
          />
          {address.replaced && (
            <p className={classes.put} role="status">
              {t('places.addressFilled')}
              <button type="button" onClick={address.restore}>
                {t('places.keepAddress', { address: address.replaced })}
              </button>
            </p>
          )}
          <ChoiceCards
            {...field('type')}
            legend={t('places.type')}
            choices={choices}
            {...(place && { defaultValue: place.type })}
            required
            isGrid
          />
        </div>
        <div className={classes.where}>
          <input hidden {...spotInput} />
          <input hidden {...shapeInput} />
          {(hasShapes || place?.shape) && (
            <SegmentedControl
              label={t('places.shape.kind')}
              value={shape.kind}
              onChange={shape.choose}
              options={[
                { value: 'circle', label: t('places.shape.kinds.circle'), icon: <IconCircle size={18} aria-hidden="true" /> },
                { value: 'polygon', label: t('places.shape.kinds.polygon'), icon: <IconPolygon size={18} aria-hidden="true" /> },
                { value: 'corridor', label: t('places.shape.kinds.corridor'), icon: <IconRoute size={18} aria-hidden="true" /> },
              ]}
            />
          )}
          {shape.kind !== 'circle' && (
            <ShapeField
              draft={shape}
              around={spot ? boxCorners({ lat: spot.lat, lng: spot.lng, radius: radius.drawn }) : []}
              isRefused={field('shape')['aria-invalid']}
              isDisabled={isDisabled}
            />
          )}
          {shape.kind === 'circle' && (
            <SpotField
              spot={spot}
              radius={radius.drawn}
              isPut={isPut}
              isNew={!place}
              isLeaving={place !== undefined && !address.isChosen && address.text.trim() !== place.address}
              isDisabled={isDisabled}
              onPut={put}
              onResize={resize}
            />
          )}
        </div>
        <div className={classes.fields}>
          {shape.kind === 'circle' && <RadiusField {...field('radius')} typed={radius.typed} drawn={radius.drawn} onChange={radius.set} />}
          {shape.kind === 'corridor' && <WidthField width={shape.width} onChange={shape.setWidth} />}
          {place && hasDryRun && !isDisabled && (
            <Part skeleton={null}>
              <PlaceDryRun
                place={place}
                border={border}
                onAdvice={({ radius, width, shape: area }) => {
                  if (area) shape.change(area.points)
                  else if (width === undefined) resize(radius)
                  else shape.setWidth(width)
                }}
              />
            </Part>
          )}
          <Part skeleton={<SkeletonRows count={3} />}>
            <TrackersField {...devices} />
          </Part>
          <RequiredLegend />
          <div>
            <Button type="submit" size="md" h={48} loading={isBusy} disabled={isDisabled}>
              {t('action.save')}
            </Button>
          </div>
        </div>
      </fieldset>
      <UnsavedGuard isDirty={isDirty} />
    </form>
  )
}

const formatType = (t: TFunction, type: string) => {
  const known = pickListed(PLACE_TYPES, type, null)
  return known ? t(`places.types.${known}`) : `${t('places.types.other')} (${type})`
}

type Props = { chosen: readonly number[]; choose: (ids: readonly number[]) => void }

function TrackersField({ chosen, choose }: Props) {
  const { t } = useTranslation()
  const devices = useSuspenseQuery(devicesQuery()).data
  const set = (id: number, isOn: boolean) => choose(isOn ? [...chosen, id] : chosen.filter((other) => other !== id))
  const isAll = devices.every(({ id }) => chosen.includes(id))
  return (
    <fieldset className={classes.trackers}>
      <legend>{t('places.trackers')}</legend>
      {devices.length === 0 && <p className={classes.note}>{t('trackers.none')}</p>}
      {devices.length > 0 && (
        <div>
          <div className={classes.all}>
            <CheckboxField checked={isAll} onChange={({ target }) => choose(target.checked ? devices.map(({ id }) => id) : [])}>
              {t('home.allTrackers')}
            </CheckboxField>
          </div>
          {devices.map((device) => (
            <CheckboxField key={device.id} checked={chosen.includes(device.id)} onChange={({ target }) => set(device.id, target.checked)}>
              <span className={classes.tracker}>
                <KindDisc of={device} size={22} />
                {device.name}
              </span>
            </CheckboxField>
          ))}
        </div>
      )}
    </fieldset>
  )
}

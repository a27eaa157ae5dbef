import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PLACE_TYPES, TEXT_LENGTH } from '#contracts/lib/constants.ts'
import type { Place } from '#contracts/places.ts'
import { PlaceIcon } from '#web/places/place-icon.tsx'
import { ChoiceCards } from '#web/ui/form/choice-cards.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { RequiredLegend } from '#web/ui/form/required-legend.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import classes from './place-form.module.css'
import { RadiusField } from './radius-field.tsx'
import { SpotField } from './spot-field.tsx'
import { TrackersField } from './trackers-field.tsx'
import { usePlaceForm } from './use-place-form.ts'

export function PlaceForm({ place, isDisabled }: { place?: Place | undefined; isDisabled: boolean }) {
  const { t } = useTranslation()
  const [address, setAddress] = useState(place?.address ?? '')
  const { form, field, isBusy, isDirty, failure, radius, devices, spot, isPut, put, kept, resize } = usePlaceForm(place)
  const choices = PLACE_TYPES.map((type) => ({ value: type, label: t(`places.types.${type}`), icon: <PlaceIcon type={type} /> }))
  return (
    <form {...form}>
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
          <TextField
            {...field('address')}
            label={t('places.address')}
            description={isPut && address.trim() === '' && t('places.addressToo')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            required
            maxLength={TEXT_LENGTH.address}
            defaultValue={place?.address}
            onChange={({ target }) => setAddress(target.value)}
            autoComplete="off"
          />
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
          <input hidden {...kept} />
          <SpotField
            spot={spot}
            radius={radius.drawn}
            isPut={isPut}
            isNew={!place}
            isLeaving={place !== undefined && address.trim() !== place.address}
            isDisabled={isDisabled}
            onPut={put}
            onResize={resize}
          />
        </div>
        <div className={classes.fields}>
          <RadiusField {...field('radius')} typed={radius.typed} drawn={radius.drawn} onChange={radius.set} />
          <TrackersField {...devices} />
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

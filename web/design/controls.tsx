import { Button } from '@mantine/core'
import { IconColumns3, IconHistory, IconNavigation, IconPencil, IconShare2, IconTrash } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { lazy } from '#web/lib/chunk.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { TagChip } from '#web/trackers/parts/tag-chip.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { SkeletonBlock } from '#web/ui/feedback/skeleton.tsx'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { ChoiceCards, Choices } from '#web/ui/form/choices.tsx'
import { DateField } from '#web/ui/form/date-field.tsx'
import { PasswordField, TextField } from '#web/ui/form/fields.tsx'
import { FilePicker } from '#web/ui/form/file-picker.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { TextAreaField } from '#web/ui/form/text-area-field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import classes from './design.module.css'
import { Samples, type Theme } from './samples.tsx'

const Calendar = lazy(() => import('#web/ui/form/calendar.tsx'))

const nothing = () => undefined

export const Controls = () => (
  <>
    <Samples title="Buttons" lead="One filled button per region. Normal buttons are 44 px high, big ones 52, those of a toolbar 32.">
      {() => <Buttons />}
    </Samples>
    <Samples title="Badges and tags" lead="The word has the meaning; the colour repeats it.">
      {() => (
        <div className={classes.line}>
          <Badge tone="good">Active</Badge>
          <Badge tone="warn">Ends soon</Badge>
          <Badge tone="bad">Lost</Badge>
          <Badge>Not in use</Badge>
          <TagChip tag={{ name: 'Family', color: '#2563eb' }} />
          <TagChip tag={{ name: 'Vans', color: '#b45309' }} />
        </div>
      )}
    </Samples>
    <Samples title="Fields">{() => <Fields />}</Samples>
    <Samples title="Choices">{(theme) => <Selections theme={theme} />}</Samples>
  </>
)

const Buttons = () => (
  <>
    <div className={classes.line}>
      <Button h={44}>Save</Button>
      <Button h={44} variant="default">
        Cancel
      </Button>
      <Button h={44} variant="subtle">
        Quiet
      </Button>
      <Button h={44} color="var(--bad)" style={{ color: 'var(--bg)' }}>
        Delete
      </Button>
      <Button h={44} disabled>
        Later
      </Button>
    </div>
    <div className={classes.line}>
      <Button size="xs" h={32} variant="default" leftSection={<IconColumns3 size={16} />}>
        Toolbar
      </Button>
      <IconButton label="History" Icon={IconHistory} onClick={nothing} />
      <IconButton label="Edit" Icon={IconPencil} onClick={nothing} />
      <IconButton label="Delete" Icon={IconTrash} onClick={nothing} />
    </div>
    <div className={classes.pair}>
      <Button h={52} size="md" leftSection={<IconNavigation size={20} />}>
        Find it
      </Button>
      <Button h={52} size="md" variant="default" leftSection={<IconShare2 size={20} />}>
        Share
      </Button>
    </div>
  </>
)

const Fields = () => (
  <>
    <FormAlert>The form has an error.</FormAlert>
    <div className={classes.pair}>
      <TextField label="Name" required defaultValue="Rex" />
      <TextField label="Serial number" defaultValue="T1-4" error="Eight digits or more" />
      <PasswordField label="Password" defaultValue="Demo-1234" autoComplete="off" />
      <SelectField label="Group by" data={['None', 'Tag', 'Place', 'Owner']} defaultValue="Place" />
      <TextField label="Disabled" defaultValue="Cannot be changed" disabled />
      <DateField type="date" label="From" defaultValue="2026-11-27" />
    </div>
    <TextAreaField label="Message" description="The finder reads it." rows={2} defaultValue="Please call me." />
    <div className={classes.calendar}>
      <Suspense fallback={<SkeletonBlock height={330} />}>
        <Calendar defaultDate="2026-11-27" value="2026-11-27" onChange={nothing} />
      </Suspense>
    </div>
  </>
)

const PLANS = [
  { value: 'month', label: '1 month', hint: '€4.95' },
  { value: 'year', label: '12 months', hint: '€39.95' },
]
const LENGTHS = PLANS.map(({ value, label }) => ({ value, label }))

const TILES = [
  { value: 'dog', label: 'Dog', icon: <KindDisc of={{ kind: 'dog' }} size={36} /> },
  { value: 'bike', label: 'Bike', icon: <KindDisc of={{ kind: 'bike' }} size={36} /> },
  { value: 'vehicle', label: 'Vehicle', icon: <KindDisc of={{ kind: 'vehicle' }} size={36} /> },
]

function Selections({ theme }: { theme: Theme }) {
  const [plan, setPlan] = useState('year')
  const [span, setSpan] = useState('day')
  const [file, setFile] = useState('')
  return (
    <>
      <Choices legend="Pills" name={`${theme}-pills`} choices={LENGTHS} value={plan} onChange={setPlan} />
      <Choices legend="List" name={`${theme}-list`} choices={PLANS} value={plan} onChange={setPlan} isList />
      <ChoiceCards legend="Cards" name={`${theme}-cards`} choices={PLANS} defaultValue="year" />
      <ChoiceCards legend="Tiles" name={`${theme}-tiles`} choices={TILES} defaultValue="dog" isGrid />
      <SegmentedControl
        label="Period"
        value={span}
        onChange={setSpan}
        options={['day', 'week', 'month'].map((value) => ({ value, label: value }))}
      />
      <div className={classes.pair}>
        <CheckboxField defaultChecked>All trackers</CheckboxField>
        <CheckboxField hint="At most one mail a day">Mail me</CheckboxField>
      </div>
      <FilePicker accept=".csv" label={file || 'Choose a file'} dropHint="or drop it here" onPick={({ name }) => setFile(name)} />
    </>
  )
}

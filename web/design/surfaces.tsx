import { Button } from '@mantine/core'
import { IconBell, IconMapPinOff, IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { showToast } from '#web/lib/toasts.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Failure } from '#web/ui/feedback/error-boundary.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { DataTable } from '#web/ui/lists/data-table.tsx'
import { Entries, Entry, EntryDisc } from '#web/ui/lists/entry.tsx'
import { Row, RowNote, Rows } from '#web/ui/lists/row.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'
import { Sheet } from '#web/ui/overlay/sheet.tsx'
import classes from './design.module.css'
import { Samples, type Theme } from './samples.tsx'

const nothing = () => undefined

const ORDERS = [
  { id: 1, name: 'A-1042', date: '27 Nov 2026', state: 'Paid', price: '€39.95' },
  { id: 2, name: 'A-1038', date: '3 Nov 2026', state: 'Open', price: '€4.95' },
  { id: 3, name: 'A-0977', date: '19 Jul 2026', state: 'Paid', price: '€119.85' },
]

const COLUMNS = [
  { head: 'Order', cell: ({ name }: (typeof ORDERS)[number]) => name, sort: 'name' },
  { head: 'Date', cell: ({ date }: (typeof ORDERS)[number]) => date },
  {
    head: 'State',
    cell: ({ state }: (typeof ORDERS)[number]) => <Badge tone={state === 'Paid' ? 'good' : 'warn'}>{state}</Badge>,
  },
  { head: 'Price', cell: ({ price }: (typeof ORDERS)[number]) => price, isEnd: true },
]

export const Surfaces = () => (
  <>
    <Samples title="Lists">
      {(theme) => (
        <>
          <Entries label={`Entries, ${theme}`}>
            <Entry
              name="Home"
              icon={
                <EntryDisc>
                  <IconBell size={20} />
                </EntryDisc>
              }
              onEdit={nothing}
              onDelete={nothing}
            >
              <b>Leaves home</b>
              <p className={classes.dim}>Mail to Alice, every day</p>
            </Entry>
          </Entries>
          <Rows label={`Rows, ${theme}`}>
            <Row icon={<KindDisc of={{ kind: 'dog' }} />} name="Rex" hint="Parque Batlle">
              <IconButton label="Edit" of="Rex" Icon={IconPencil} onClick={nothing} />
            </Row>
            <Row icon={<KindDisc of={{ kind: 'vehicle' }} />} name="Van 01" hint="Av. 8 de Octubre" />
          </Rows>
          <RowNote>A note below a list.</RowNote>
        </>
      )}
    </Samples>
    <Samples title="Table" lead="Cards in a narrow window.">
      {(theme) => <Orders theme={theme} />}
    </Samples>
    <Samples title="Notices">
      {() => (
        <>
          <Empty icon={<IconMapPinOff size={30} />} title="No places yet" action={<Button h={44}>Add a place</Button>}>
            Places name the addresses that matter to you.
          </Empty>
          <Failure retry={nothing} />
        </>
      )}
    </Samples>
    <Samples title="Skeletons">
      {() => (
        <div data-sample="">
          <SkeletonRows count={3} />
        </div>
      )}
    </Samples>
    <Samples title="Dialogs, sheet and toast" lead="On a phone each dialog comes from below. A toast has the theme of the page.">
      {(theme) => <Overlays theme={theme} />}
    </Samples>
  </>
)

function Orders({ theme }: { theme: Theme }) {
  const [sort, setSort] = useState('name')
  const rows = sort.startsWith('-') ? ORDERS : ORDERS.toReversed()
  return <DataTable label={`Orders, ${theme}`} columns={COLUMNS} rows={rows} keyOf={({ id }) => id} sorting={{ sort, onSort: setSort }} />
}

function Overlays({ theme }: { theme: Theme }) {
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'sheet'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <div className={classes.line}>
        <Button h={44} variant="default" onClick={() => setOpen('dialog')}>
          Open the dialog
        </Button>
        <Button h={44} variant="default" onClick={() => setOpen('confirm')}>
          Ask first
        </Button>
        <Button h={44} variant="default" onClick={() => setOpen('sheet')}>
          Open the sheet
        </Button>
        <Button h={44} variant="default" onClick={() => showToast('Rex was removed', nothing)}>
          Show a toast
        </Button>
      </div>
      {open === 'dialog' && (
        <Dialog title="Rename" lead="The name is shown on the map." onClose={close}>
          <TextField label="Name" defaultValue="Rex" />
          <DialogFoot>
            <Button h={44} onClick={close}>
              Save
            </Button>
          </DialogFoot>
        </Dialog>
      )}
      {open === 'confirm' && (
        <ConfirmDialog title="Remove Rex?" action="Remove" isDanger onConfirm={async () => undefined} onClose={close}>
          <p>Its positions are deleted too.</p>
        </ConfirmDialog>
      )}
      {open === 'sheet' && (
        <div className={classes.stage}>
          <Sheet label={`Sheet, ${theme}`}>
            <div className={classes.inSheet}>
              <h3>Rex</h3>
              <p className={classes.dim}>Drag the handle, or press it.</p>
            </div>
          </Sheet>
        </div>
      )}
    </>
  )
}

import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'
import classes from './face.module.css'
import { photosApi } from './photos.api.ts'

/** The visible square of a picture: its centre in pixels of the picture, and its magnification beyond filling the frame. */
type Crop = { x: number; y: number; zoom: number }
type Size = { width: number; height: number }

const MAX_ZOOM = 4

export const centreOf = ({ width, height }: Size): Crop => ({ x: width / 2, y: height / 2, zoom: 1 })

/** Length of the square's sides in pixels of the picture. */
export const sideOf = ({ width, height }: Size, { zoom }: Crop) => Math.min(width, height) / zoom

/** Limits the crop to the picture: the square never shows anything outside it. */
export function clampCrop(size: Size, crop: Crop): Crop {
  const zoom = Math.min(MAX_ZOOM, Math.max(1, crop.zoom))
  const half = sideOf(size, { ...crop, zoom }) / 2
  const within = (at: number, length: number) => Math.min(length - half, Math.max(half, at))
  return { x: within(crop.x, size.width), y: within(crop.y, size.height), zoom }
}

/** Moves the picture by pixels of a frame of `frame` pixels. */
export function moveCrop(size: Size, crop: Crop, by: { x: number; y: number }, frame: number): Crop {
  const scale = sideOf(size, crop) / frame
  return clampCrop(size, { ...crop, x: crop.x - by.x * scale, y: crop.y - by.y * scale })
}

/** Largest side of the uploaded square, in pixels: the server makes smaller ones from it. */
const UPLOAD_SIDE = 1024

/** Draws the square into a JPEG file. */
async function drawCrop(picture: ImageBitmap, crop: Crop): Promise<Blob> {
  const side = sideOf(picture, crop)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = Math.round(Math.min(UPLOAD_SIDE, side))
  const context = canvas.getContext('2d')!
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, crop.x - side / 2, crop.y - side / 2, side, side, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/jpeg', 0.9)
  })
}

type Props = { device: Device; picture: ImageBitmap; onSaved: (changed: Device) => void; onClose: () => void }

const describeFailure = (error: unknown) =>
  error instanceof ApiError && (error.code === 'account_busy' || error.code === 'upload_limit')
    ? (`error.${error.code}` as const)
    : 'settings.photo.failed'

/** Pixels that an arrow key moves the picture by. */
const STEP = 12

/** Crops a picture to a square and saves it as the photo of a tracker. */
export default function CropDialog({ device, picture, onSaved, onClose }: Props) {
  const { t } = useTranslation()
  const [crop, setCrop] = useState(() => centreOf(picture))
  const save = useMutation({
    mutationFn: async () => photosApi.save({ params: { id: device.id }, body: await drawCrop(picture, crop) }),
    onSuccess: onSaved,
  })
  return (
    <Dialog title={t('settings.photo.crop')} lead={t('settings.photo.cropLead')} onClose={onClose}>
      <FormAlert>{save.isError ? t(describeFailure(save.error)) : null}</FormAlert>
      <Frame picture={picture} crop={crop} onChange={setCrop} />
      <label className={classes.zoom}>
        {t('settings.photo.zoom')}
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={crop.zoom}
          onChange={({ target }) => setCrop(clampCrop(picture, { ...crop, zoom: target.valueAsNumber }))}
        />
      </label>
      <DialogFoot>
        <Button variant="default" h={44} onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button h={44} loading={save.isPending} onClick={() => save.mutate()}>
          {t('settings.photo.use')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

type FrameProps = { picture: ImageBitmap; crop: Crop; onChange: (crop: Crop) => void }

const ARROWS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: STEP, y: 0 },
  ArrowRight: { x: -STEP, y: 0 },
  ArrowUp: { x: 0, y: STEP },
  ArrowDown: { x: 0, y: -STEP },
}

/** The picture behind a round window; a finger, a mouse or the arrow keys move it. */
function Frame({ picture, crop, onChange }: FrameProps) {
  const { t } = useTranslation()
  const canvas = useRef<HTMLCanvasElement>(null)
  const from = useRef<{ x: number; y: number; crop: Crop }>(null)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context) return
    const side = sideOf(picture, crop)
    const { width } = context.canvas
    context.clearRect(0, 0, width, width)
    context.drawImage(picture, crop.x - side / 2, crop.y - side / 2, side, side, 0, 0, width, width)
  }, [picture, crop])
  const drag = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLCanvasElement>) => {
    if (!from.current) return
    const by = { x: clientX - from.current.x, y: clientY - from.current.y }
    onChange(moveCrop(picture, from.current.crop, by, currentTarget.clientWidth))
  }
  return (
    <div className={classes.frame}>
      <canvas
        ref={canvas}
        width={560}
        height={560}
        role="img"
        aria-label={t('settings.photo.frame')}
        tabIndex={0}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          from.current = { x: event.clientX, y: event.clientY, crop }
        }}
        onPointerMove={drag}
        onPointerUp={() => {
          from.current = null
        }}
        onPointerCancel={() => {
          from.current = null
        }}
        onKeyDown={(event) => {
          const by = ARROWS[event.key]
          if (!by) return
          event.preventDefault()
          onChange(moveCrop(picture, crop, by, event.currentTarget.clientWidth))
        }}
      />
    </div>
  )
}

import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import classes from './number-form.module.css'
import { readCode } from './read-code.ts'

/** The part of the browser's barcode detection that is used here; TypeScript does not describe it yet. */
type Detector = { detect(image: HTMLVideoElement): Promise<{ rawValue: string }[]> }
declare global {
  interface Window {
    BarcodeDetector?: new () => Detector
  }
}

const PAUSE_MS = 200

/** Browsers without a detector of their own, such as Safari, read QR codes with a package. */
const createDetector = async (): Promise<Detector> => new (window.BarcodeDetector ?? (await import('qr/decode.js')).BarcodeDetector)()

type Props = { onScanned: (number: string) => void; onClose: () => void }

/** Shows the camera's picture until it contains the number of a tracker as a code. */
export default function ScanDialog({ onScanned, onClose }: Props) {
  const { t } = useTranslation()
  const video = useRef<HTMLVideoElement>(null)
  const [isRefused, setRefused] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the camera starts once
  useEffect(() => {
    const ending = new AbortController()
    if (video.current)
      scan(video.current, ending.signal).then(
        (number) => number && onScanned(number),
        () => setRefused(true),
      )
    return () => ending.abort()
  }, [])
  return (
    <Dialog title={t('start.scan')} onClose={onClose}>
      <p role="status">{isRefused ? t('start.noCamera') : t('start.scanLead')}</p>
      {!isRefused && <video ref={video} className={classes.camera} muted playsInline />}
    </Dialog>
  )
}

/** Resolves with the first number found, or with null after `signal`; rejects where the camera is refused. */
async function scan(video: HTMLVideoElement, signal: AbortSignal): Promise<string | null> {
  const detector = await createDetector()
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  try {
    video.srcObject = stream
    await video.play()
    while (!signal.aborted) {
      const codes = await detector.detect(video)
      const number = codes.map(({ rawValue }) => readCode(rawValue)).find((found) => found !== null)
      if (number) return number
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
    return null
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}
